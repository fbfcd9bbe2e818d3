/** The start page: play, watch, or review. One button starts a hand at once. */
import { useEffect, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { FoundGame, NewTable, Player, Site } from "../messages";
import { getSite } from "../net/api";
import { findGames, openTable } from "../net/tables";
import { transport } from "../net/transport";
import { reasonOf } from "../net/reason";
import { change, settings } from "../settings";
import { partsOf } from "../table/games";
import { described, playerName, rulesName } from "../table/names";

const BEGUN = "janshi.begun";

/** Open the command line's table or review once in a tab, a table only if no game is in progress. */
async function begin(site: Site, games: readonly FoundGame[], name: string): Promise<boolean> {
  if (site.review === null && (site.begin === null || games.length > 0)) return false;
  try {
    if (sessionStorage.getItem(BEGUN) !== null) return false;
    sessionStorage.setItem(BEGUN, "yes");
  } catch {
    return false; // without storage the page could not tell a second time from the first
  }
  if (site.review !== null) location.replace(`#/review/${encodeURIComponent(site.review)}`);
  else if (site.begin !== null) await openTable(asBegun(site.begin, name));
  return site.review !== null || site.begin !== null;
}

/** Except the name on the command line, which the server uses. */
function asBegun(table: NewTable, name: string): NewTable {
  return { ...table, name: table.name || name };
}

export function Lobby() {
  const words = useWords();
  const [site, setSite] = useState<Site | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [games, setGames] = useState<FoundGame[]>([]);
  const [busy, setBusy] = useState(false);
  const name = settings().name || words.shell.you;

  async function load(): Promise<void> {
    setFailed(null);
    try {
      const got = await getSite();
      const going = await findGames();
      if (await begin(got, going, name)) return;
      setGames(going);
      setSite(got);
    } catch (error) {
      setFailed(reasonOf(error, words));
    }
  }
  useEffect(() => void load(), []);

  async function open(table: Partial<NewTable>): Promise<void> {
    setBusy(true);
    setFailed(null);
    try {
      await openTable({ name: settings().name || words.shell.you, ...table });
    } catch (error) {
      setFailed(reasonOf(error, words));
      setBusy(false);
    }
  }

  return (
    <div class="lobby">
      {failed !== null && (
        <p class="warning" role="alert">
          {failed}{" "}
          {site === null && (
            <button type="button" onClick={load}>
              {words.shell.again}
            </button>
          )}
        </p>
      )}
      {site === null && failed === null && <Patience />}
      {site && (
        <>
          {games.length > 0 && <GoOn games={games} />}
          <section class="card quick">
            <p class="lead">{transport.served ? words.lobby.lead : words.lobby.leadHere}</p>
            <div class="quick-buttons">
              {site.begin !== null && (
                <button type="button" class="big" disabled={busy} onClick={() => open(asBegun(site.begin!, name))}>
                  {words.lobby.begin}
                </button>
              )}
              <button
                type="button"
                class={`big ${games.length > 0 ? "" : "primary"}`}
                disabled={busy}
                onClick={() => open({ rules: "tenhou-sanma" })}
              >
                {words.lobby.quick}
              </button>
              <button type="button" class="big" disabled={busy} onClick={() => open({ rules: "tenhou" })}>
                {words.lobby.quickFour}
              </button>
              <button type="button" class="big" disabled={busy} onClick={() => open({ rules: "sichuan" })}>
                {words.lobby.quickSichuan}
              </button>
            </div>
            <p class="about">{words.lobby.quickAbout}</p>
          </section>
          <Offer page="lesson" title={words.lesson.offer} lead={words.lesson.lead} open={words.lesson.open} />
          <Choice site={site} busy={busy} onOpen={open} />
          <Offer
            page="review"
            title={words.review.upload.title}
            lead={words.review.upload.lead}
            open={words.review.upload.open}
          />
          {site.history && (
            <Offer page="history" title={words.history.title} lead={words.history.lead} open={words.history.open} />
          )}
        </>
      )}
    </div>
  );
}

interface OfferProps {
  page: string;
  title: string;
  lead: string;
  open: string;
}

/** A card that leads to another page. */
function Offer({ page, title, lead, open }: OfferProps) {
  return (
    <section class={`card offer to-${page}`}>
      <div>
        <h2>{title}</h2>
        <p class="about">{lead}</p>
      </div>
      <a class="button" href={`#/${page}`}>
        {open}
      </a>
    </section>
  );
}

/** Unfinished games, the most recent first. */
function GoOn({ games }: { games: readonly FoundGame[] }) {
  const words = useWords();
  const about = (game: FoundGame) => {
    const others = game.names.filter((_, seat) => seat !== game.seat).map((name) => playerName(name, words));
    return [
      rulesName(game.rules, words),
      words.lobby.against(others.join(words.review.separator)),
      words.lobby.lastMove(ago(game.moved)),
    ].join(" · ");
  };
  return (
    <section class="card go-on">
      {games.map((game, at) => (
        <div key={game.table} class="go-on-game">
          <a class={`button ${at === 0 ? "primary big" : ""}`} href={`#/table/${encodeURIComponent(game.table)}`}>
            {game.seat === null ? words.lobby.goOnWatching : at === 0 ? words.lobby.goOn : words.lobby.goOnOther}
          </a>
          <span class="about">{about(game)}</span>
        </div>
      ))}
    </section>
  );
}

/** A time in the past, in words. */
function ago(seconds: number): string {
  const words = new Intl.RelativeTimeFormat(settings().language, { numeric: "auto" });
  if (seconds < 5400) return words.format(-Math.round(seconds / 60), "minute");
  return seconds < 129600
    ? words.format(-Math.round(seconds / 3600), "hour")
    : words.format(-Math.round(seconds / 86400), "day");
}

/** After an install or an update the engine is compiled before the server answers. */
function Patience() {
  const words = useWords();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 4000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="notice" role="status">
      {words.shell.loading} {long && words.shell.patience}
    </p>
  );
}

function Choice({ site, busy, onOpen }: { site: Site; busy: boolean; onOpen: (table: Partial<NewTable>) => void }) {
  const words = useWords();
  const [watch, setWatch] = useState(false);
  const [rules, setRules] = useState(site.rules.find((one) => one.name === "tenhou-sanma") ?? site.rules[0]!);
  const [length, setLength] = useState(rules.lengths[0]!);
  const [seat, setSeat] = useState<number | null>(null);
  const [agents, setAgents] = useState<string[]>([]);
  const [seed, setSeed] = useState("");
  const [name, setName] = useState(settings().name);
  const { players, game } = rules;
  const seats = watch ? players : players - 1;
  const possible = site.players.filter((one) => one.players.includes(players) && one.games.includes(game));

  // Shortest first; the first in the server's order is the default.
  const lengths = Object.keys(words.lobby.lengths).filter((one) => rules.lengths.includes(one));

  function choose(name: string): void {
    const next = site.rules.find((one) => one.name === name) ?? rules;
    setRules(next);
    setAgents([]);
    setSeat(null);
    if (!next.lengths.includes(length)) setLength(next.lengths[0]!);
  }

  function submit(event: Event): void {
    event.preventDefault();
    change({ name: name.trim() });
    const chosen = Array.from({ length: seats }, (_, at) => agents[at] ?? "");
    const named = chosen.every((one) => one === "") ? [] : chosen.map((one) => one || (possible[0]?.name ?? ""));
    onOpen({
      ...(name.trim() ? { name: name.trim() } : {}),
      rules: rules.name,
      length,
      watch,
      seat: watch ? null : seat,
      agents: named,
      ...(seed === "" ? {} : { seed: Number(seed) }),
    });
  }

  /** A player with its rating in this game. */
  function rated(one: Player): string {
    const rating = (one.ratings ?? {})[`${game} ${players}`];
    const about = described(one, words);
    return rating === undefined ? about : `${about} · ${words.lobby.rating(rating)}`;
  }

  return (
    <form class="card choice" onSubmit={submit}>
      <h2>{words.lobby.options}</h2>
      <div class="segments" role="radiogroup" aria-label={words.lobby.mode}>
        {[false, true].map((one) => (
          <label key={String(one)}>
            <input type="radio" name="mode" checked={watch === one} onChange={() => setWatch(one)} />
            <span>{one ? words.lobby.watch : words.lobby.play}</span>
          </label>
        ))}
      </div>
      <div class="fields">
        <label>
          <span>{words.lobby.rules}</span>
          <select value={rules.name} onChange={(event) => choose(event.currentTarget.value)}>
            {site.rules.map((one) => (
              <option key={one.name} value={one.name}>
                {rulesName(one.name, words)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{words.lobby.length}</span>
          <select value={length} onChange={(event) => setLength(event.currentTarget.value as typeof length)}>
            {lengths.map((one) => (
              <option key={one} value={one}>
                {words.lobby.lengths[one] ?? one}
              </option>
            ))}
          </select>
        </label>
        {!watch && (
          <label>
            <span>{words.lobby.seat}</span>
            <select
              value={seat ?? ""}
              onChange={(event) => setSeat(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}
            >
              <option value="">{words.lobby.lot}</option>
              {Array.from({ length: players }, (_, one) => (
                <option key={one} value={one}>
                  {partsOf({ game }).place(one, words)}
                </option>
              ))}
            </select>
          </label>
        )}
        {!watch && (
          <label>
            <span>{words.lobby.name}</span>
            <input
              type="text"
              maxLength={32}
              value={name}
              autocomplete="nickname"
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
        )}
        <label>
          <span>{words.lobby.seed}</span>
          <input
            type="text"
            inputMode="numeric"
            pattern="[0-9]{1,15}"
            placeholder={words.lobby.seedNone}
            value={seed}
            onInput={(event) => setSeed(event.currentTarget.value)}
          />
        </label>
      </div>
      <fieldset>
        <legend>{watch ? words.lobby.agents : words.lobby.opponents}</legend>
        <div class="fields">
          {Array.from({ length: seats }, (_, at) => (
            <label key={at}>
              <span>{words.lobby.agent(at + 1)}</span>
              <select
                value={agents[at] ?? ""}
                onChange={(event) =>
                  setAgents(
                    Array.from({ length: seats }, (_, n) => (n === at ? event.currentTarget.value : (agents[n] ?? ""))),
                  )
                }
              >
                <option value="">{words.lobby.best}</option>
                {possible.map((one) => (
                  <option key={one.name} value={one.name}>
                    {rated(one)}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
        <p class="about">{words.lobby.ratingAbout}</p>
      </fieldset>
      <button type="submit" class="primary" disabled={busy}>
        {watch ? words.lobby.watch : words.lobby.play}
      </button>
    </form>
  );
}
