/** The shell: what the address names, under a bar with the ways to everything else. */
import { useEffect, useState } from "preact/hooks";
import { LANGUAGES, useWords } from "./i18n";
import { Lobby } from "./lobby/Lobby";
import type { Review } from "./messages";
import { ReviewPage, ReviewView } from "./review";
import { change, useSettings } from "./settings";
import { TablePage } from "./table/TablePage";
import { Sprite } from "./table/tiles";

export type Route = { page: "lobby" } | { page: "table" | "review"; id: string };

/** What the part of the address after `#` names; anything unknown is the lobby. */
export function route(hash: string): Route {
  const [, page, id] = /^#\/(table|review)\/([^/?]+)/.exec(hash) ?? [];
  if ((page === "table" || page === "review") && id) return { page, id: decodeURIComponent(id) };
  return { page: "lobby" };
}

function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const listener = () => setHash(location.hash);
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);
  return route(hash);
}

/** `saved`: the review that this very file holds; nothing is asked of a server then. */
export function App({ saved }: { saved: Review | null }) {
  const words = useWords();
  return (
    <>
      <Sprite />
      <a class="skip" href="#content" onClick={(event) => (event.preventDefault(), document.getElementById("content")?.focus())}>
        {words.shell.skip}
      </a>
      {saved ? <Saved review={saved} /> : <Served />}
    </>
  );
}

function Saved({ review }: { review: Review }) {
  return (
    <>
      <TopBar />
      <main id="content" tabIndex={-1}>
        <ReviewView review={review} saved />
      </main>
    </>
  );
}

function Served() {
  const at = useRoute();
  return (
    <>
      <TopBar home />
      <main id="content" tabIndex={-1} data-page={at.page}>
        {at.page === "table" ? (
          <TablePage key={at.id} id={at.id} />
        ) : at.page === "review" ? (
          <ReviewPage key={at.id} id={at.id} />
        ) : (
          <Lobby />
        )}
      </main>
    </>
  );
}

function TopBar({ home = false }: { home?: boolean }) {
  const words = useWords();
  return (
    <header class="top">
      {home ? (
        <a class="brand" href="#/">
          {words.title}
        </a>
      ) : (
        <span class="brand">{words.title}</span>
      )}
      <SettingsMenu />
    </header>
  );
}

const PACES = { instant: 0, quick: 0.2, normal: 0.4, slow: 0.9 } as const;

function SettingsMenu() {
  const words = useWords();
  const now = useSettings();
  return (
    <details class="menu">
      <summary>{words.shell.settings}</summary>
      <div class="menu-body">
        <label>
          {words.shell.languageLabel}
          <select value={now.language} onChange={(event) => change({ language: event.currentTarget.value as "en" | "ja" })}>
            {Object.entries(LANGUAGES).map(([key, one]) => (
              <option key={key} value={key} lang={key}>
                {one.language}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.shell.theme}
          <select value={now.theme} onChange={(event) => change({ theme: event.currentTarget.value as typeof now.theme })}>
            {(["auto", "light", "dark"] as const).map((key) => (
              <option key={key} value={key}>
                {words.shell.themes[key]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.shell.pace}
          <select value={now.pace} onChange={(event) => change({ pace: Number(event.currentTarget.value) })}>
            {Object.entries(PACES).map(([key, seconds]) => (
              <option key={key} value={seconds}>
                {words.shell.paces[key as keyof typeof PACES]}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input type="checkbox" checked={now.indices} onChange={(event) => change({ indices: event.currentTarget.checked })} />
          {words.shell.indices}
        </label>
      </div>
    </details>
  );
}
