/** The player's finished games: figures beside those of strong people, and each game with a link to its review. */
import { useEffect, useState } from "preact/hooks";
import { useWords, type Words } from "../i18n";
import type { Figures, OwnHistory, PastGame } from "../messages";
import { download, eraseHistory, getHistory, reviewPast } from "../net/api";
import { reasonOf } from "../net/reason";
import { percent, points } from "../review/explain";
import { settings } from "../settings";
import { playerName, rulesName } from "../table/names";

export function HistoryPage() {
  const words = useWords();
  const text = words.history;
  const [history, setHistory] = useState<OwnHistory | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const attempt = (work: Promise<OwnHistory | void>) =>
    work.then(
      (found) => found && setHistory(found),
      (error: Error) => setFailed(reasonOf(error, words)),
    );
  useEffect(() => void attempt(getHistory()), []);
  const review = (game: PastGame) =>
    attempt(reviewPast(game.id).then(({ review }) => void (location.hash = `#/review/${encodeURIComponent(review)}`)));
  const erase = () => {
    if (confirm(text.eraseSure)) void attempt(eraseHistory());
  };
  return (
    <div class="lobby history">
      <h1>{text.title}</h1>
      <p>
        <a class="button" href="#/drills">
          {words.drills.open}
        </a>
      </p>
      {failed !== null && (
        <p class="warning" role="alert">
          {failed}
        </p>
      )}
      {history && history.games.length === 0 && <p class="card about">{text.none}</p>}
      {history?.figures.map((own) => (
        <Card key={`${own.game} ${own.players}`} own={own} history={history} onReview={review} />
      ))}
      {history && history.games.length > 0 && (
        <p class="history-foot">
          <span class="about">{text.local}</span>
          <button type="button" onClick={() => void attempt(download("api/history/games.json", "janshi-history.json"))}>
            {text.export}
          </button>
          <button type="button" onClick={erase}>
            {text.erase}
          </button>
        </p>
      )}
    </div>
  );
}

interface CardProps {
  own: Figures;
  history: OwnHistory;
  onReview: (game: PastGame) => void;
}

/** Figures and games of one number of players. */
function Card({ own, history, onReview }: CardProps) {
  const words = useWords();
  const people = history.people.find((one) => one.game === own.game && one.players === own.players) ?? null;
  const games = history.games.filter((game) => game.game === own.game && game.names.length === own.players);
  return (
    <section class="card">
      <h2>{words.history.kinds[`${own.game} ${own.players}`] ?? own.game}</h2>
      <Places own={own} />
      <FiguresTable own={own} people={people} />
      <ol class="past-games">
        {games.map((game) => (
          <li key={game.id}>
            <span class={`past-place place-${game.place}`}>{words.history.place(game.place)}</span>
            <span>{points(game.points)}</span>
            <span class="about">{about(game, words)}</span>
            {game.reviews && (
              <button type="button" class="quiet" onClick={() => onReview(game)}>
                {words.review.upload.review}
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function about(game: PastGame, words: Words): string {
  const others = game.names.filter((_, seat) => seat !== game.seat).map((name) => playerName(name, words));
  const when = new Intl.DateTimeFormat(settings().language, { dateStyle: "medium", timeStyle: "short" });
  return [
    when.format(game.ended * 1000),
    rulesName(game.rules, words),
    words.lobby.against(others.join(words.review.separator)),
  ].join(" · ");
}

/** The share of each place as a bar. */
function Places({ own }: { own: Figures }) {
  const words = useWords();
  return (
    <div class="past-places">
      <strong>{words.history.mean(own.mean_place.toFixed(2), own.games)}</strong>
      {own.rating && (
        <span title={words.lobby.ratingAbout}>
          {words.history.rating(own.rating.rating, own.rating.low, own.rating.high, own.rating.games)}
        </span>
      )}
      <span class="past-bar" role="img" aria-label={own.places.map((count, at) => said(count, at)).join("; ")}>
        {own.places.map((count, at) => (
          <span key={at} class={`place-${at + 1}`} style={{ flexGrow: count }} title={said(count, at)}>
            {count > 0 ? count : ""}
          </span>
        ))}
      </span>
    </div>
  );

  function said(count: number, at: number): string {
    return `${words.history.place(at + 1)}: ${count}`;
  }
}

function FiguresTable({ own, people }: { own: Figures; people: Figures | null }) {
  const words = useWords();
  const text = words.history;
  const share = (value: number | null) => (value === null ? "–" : percent(value));
  const amount = (value: number | null) => (value === null ? "–" : points(Math.round(value)));
  const row = (name: string, show: (figures: Figures) => string) => (
    <tr key={name}>
      <th scope="row">{name}</th>
      <td>{show(own)}</td>
      {people && <td>{show(people)}</td>}
    </tr>
  );
  return (
    <table class="agreement">
      <caption class="unseen">{text.figures}</caption>
      <thead>
        <tr>
          <th scope="col">{text.hands(own.hands)}</th>
          <th scope="col">{text.you}</th>
          {people && <th scope="col">{text.people}</th>}
        </tr>
      </thead>
      <tbody>
        {row(text.win, (one) => share(one.win))}
        {row(text.dealIn, (one) => share(one.deal_in))}
        {Object.keys(people?.habits ?? {}).map((name) =>
          row(text.habits[name] ?? name, (one) => share(one.habits[name] ?? null)),
        )}
        {row(text.value, (one) => amount(one.value))}
        {row(text.price, (one) => amount(one.price))}
      </tbody>
    </table>
  );
}
