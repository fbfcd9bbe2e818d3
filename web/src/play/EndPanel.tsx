/** The end of a game: places and points, download of the record, review, another game. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useWords } from "../i18n";
import { download, reviewTable } from "../net/api";
import type { Live } from "../net/connection";
import { useGoOn } from "../table/ResultPanel";
import { signed } from "../table/signed";
import { leaveTable, openTable, ownTables } from "../net/tables";
import { reasonOf } from "../net/reason";

export function EndPanel({ live, id }: { live: Live; id: string }) {
  const words = useWords();
  const first = useRef<HTMLButtonElement>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => first.current?.focus({ preventScroll: true }), []);
  useGoOn(busy ? null : () => void again());
  const { state, welcome } = live;
  const end = state.end;
  const formats = welcome?.formats ?? [];
  const own = ownTables().find((one) => one.id === id);
  const key = own?.key ?? "";
  async function attempt(work: () => Promise<void>): Promise<void> {
    setFailed(null);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setFailed(reasonOf(error, words));
    }
    setBusy(false);
  }
  async function again(): Promise<void> {
    await attempt(async () => {
      const { seed: _, ...asked } = own?.asked ?? {};
      await openTable(asked, own?.from);
      leaveTable(id);
    });
  }
  const review = () => attempt(async () => void (location.hash = `#/review/${(await reviewTable(id, key)).review}`));
  const save = (format: string) =>
    attempt(async () => {
      const query = new URLSearchParams({ key, format });
      await download(`api/tables/${encodeURIComponent(id)}/record?${query}`, `janshi.${format}`);
    });

  if (end === null) return null;
  const ranks = state.names.map((_, seat) => seat).sort((a, b) => (end.scores[b] ?? 0) - (end.scores[a] ?? 0) || a - b);
  return (
    <section class="panel end" role="dialog" aria-label={words.end.title}>
      <div class="panel-body">
        <h2>{words.end.title}</h2>
        <table class="payments ranks">
          <thead>
            <tr>
              <th scope="col">{words.end.rank}</th>
              <th scope="col">{words.result.player}</th>
              <th scope="col">{words.end.score}</th>
              <th scope="col">{words.end.result}</th>
            </tr>
          </thead>
          <tbody>
            {ranks.map((seat, place) => {
              const points = end.points?.[seat];
              return (
                <tr key={seat} class={seat === welcome?.seat ? "me" : ""}>
                  <td class="place">{words.end.places(place)}</td>
                  <th scope="row">{state.names[seat]}</th>
                  <td>{end.scores[seat]}</td>
                  <td class={points === undefined ? "" : points > 0 ? "gain" : points < 0 ? "loss" : ""}>
                    {points === undefined ? "" : signed(points, 1)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {formats.length > 0 && (
          <div class="end-record" role="group" aria-label={words.end.record}>
            <span>{words.end.record}</span>
            {formats.map((format) => (
              <button
                key={format}
                type="button"
                disabled={busy}
                aria-label={`${words.end.record}: ${format}`}
                onClick={() => save(format)}
              >
                {format}
              </button>
            ))}
          </div>
        )}
        {failed !== null && (
          <p class="warning" role="alert">
            {failed}
          </p>
        )}
      </div>
      <div class="panel-foot">
        <a class="button" href="#/" onClick={() => leaveTable(id)}>
          {words.end.lobby}
        </a>
        {welcome?.reviews && (
          <button type="button" disabled={busy} onClick={review}>
            {words.end.review}
          </button>
        )}
        <button type="button" class="primary" ref={first} disabled={busy} onClick={again}>
          {words.end.again}
        </button>
      </div>
    </section>
  );
}
