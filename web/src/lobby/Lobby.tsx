/** Where one chooses what to play, to watch, or to have reviewed. One button starts a hand at once. */
import { useEffect, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { NewTable, Site } from "../messages";
import { getSite } from "../net/api";
import { openTable, ownTables } from "../net/tables";
import { change, settings } from "../settings";

const BEGUN = "janshi.begun";

/** The table or review that the command line asked for is opened once in a tab. */
async function begin(site: Site): Promise<boolean> {
  if (sessionStorage.getItem(BEGUN) !== null || ownTables().length > 0) return false;
  sessionStorage.setItem(BEGUN, "yes");
  if (site.review !== null) location.hash = `#/review/${encodeURIComponent(site.review)}`;
  else if (site.begin !== null) await openTable(site.begin); // unchanged: by that the server knows it
  return site.review !== null || site.begin !== null;
}

export function Lobby() {
  const words = useWords();
  const [site, setSite] = useState<Site | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function load(): Promise<void> {
    setFailed(null);
    try {
      const got = await getSite();
      if (!(await begin(got))) setSite(got);
    } catch (error) {
      setFailed(error instanceof TypeError ? words.shell.unreachable : (error as Error).message);
    }
  }
  useEffect(() => void load(), []);

  async function open(table: Partial<NewTable>): Promise<void> {
    setBusy(true);
    setFailed(null);
    try {
      await openTable({ ...table, name: settings().name });
    } catch (error) {
      setFailed(error instanceof TypeError ? words.shell.unreachable : (error as Error).message);
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
          <section class="card quick">
            <p class="lead">{words.lobby.lead}</p>
            <button type="button" class="primary big" disabled={busy} onClick={() => open({})}>
              {words.lobby.quick}
            </button>
            <p class="about">{words.lobby.quickAbout}</p>
          </section>
          <Choice site={site} busy={busy} onOpen={open} />
          <section class="card to-review">
            <div>
              <h2>{words.review.upload.title}</h2>
              <p class="about">{words.review.upload.lead}</p>
            </div>
            <a class="button" href="#/review">
              {words.review.upload.open}
            </a>
          </section>
        </>
      )}
    </div>
  );
}

/** After an install or an update the engine is compiled first; the server answers when that is done. */
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

function playersOf(rules: string): number {
  return rules.includes("sanma") ? 3 : 4;
}

function Choice({ site, busy, onOpen }: { site: Site; busy: boolean; onOpen: (table: Partial<NewTable>) => void }) {
  const words = useWords();
  const [watch, setWatch] = useState(false);
  const [rules, setRules] = useState(
    site.rules[0] === "tenhou" && site.rules.includes("tenhou-sanma") ? "tenhou-sanma" : (site.rules[0] ?? ""),
  );
  const [length, setLength] = useState<"hand" | "east" | "south">("east");
  const [seat, setSeat] = useState<number | null>(null);
  const [agents, setAgents] = useState<string[]>([]);
  const [seed, setSeed] = useState("");
  const [name, setName] = useState(settings().name);
  const players = playersOf(rules);
  const seats = watch ? players : players - 1;
  const possible = site.players.filter((one) => one.players.includes(players));

  function submit(event: Event): void {
    event.preventDefault();
    change({ name });
    const chosen = Array.from({ length: seats }, (_, at) => agents[at] ?? "");
    const named = chosen.every((one) => one === "") ? [] : chosen.map((one) => one || (possible[0]?.name ?? ""));
    onOpen({
      rules,
      length,
      watch,
      seat: watch ? null : seat,
      agents: named,
      ...(seed === "" ? {} : { seed: Number(seed) }),
    });
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
          <select
            value={rules}
            onChange={(event) => (setRules(event.currentTarget.value), setAgents([]), setSeat(null))}
          >
            {site.rules.map((one) => (
              <option key={one} value={one}>
                {words.lobby.rulesNames[one] ?? one}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{words.lobby.length}</span>
          <select value={length} onChange={(event) => setLength(event.currentTarget.value as typeof length)}>
            {(["hand", "east", "south"] as const).map((one) => (
              <option key={one} value={one}>
                {words.lobby.lengths[one]}
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
                  {words.winds["ESWN"[one] ?? ""]}
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
                    {one.name} – {one.description}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
      </fieldset>
      <button type="submit" class="primary" disabled={busy}>
        {watch ? words.lobby.watch : words.lobby.play}
      </button>
    </form>
  );
}
