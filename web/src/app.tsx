/** The shell: the page of the address, under a navigation bar. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Boundary } from "./Failed";
import { DrillsPage } from "./history/Drills";
import { HistoryPage } from "./history/History";
import { LANGUAGES, useWords } from "./i18n";
import { Lesson } from "./lesson/Lesson";
import { Lobby } from "./lobby/Lobby";
import type { Review } from "./messages";
import { leaveTable, takeKey, useTables } from "./net/tables";
import { ReviewPage, ReviewView, UploadPage } from "./review";
import { type Route, route } from "./route";
import { change, type Language, useSettings } from "./settings";
import { TablePage } from "./play/TablePage";
import { Sprite } from "./table/tiles";

function useRoute(): Route {
  const [hash, setHash] = useState(() => (takeKey(), location.hash));
  useEffect(() => {
    const listener = () => (takeKey(), setHash(location.hash));
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);
  return route(hash);
}

/** `saved`: the review contained in this file, which needs no server. */
export function App({ saved }: { saved: Review | null }) {
  const words = useWords();
  return (
    <>
      <Sprite />
      <a
        class="skip"
        href="#content"
        onClick={(event) => (event.preventDefault(), document.getElementById("content")?.focus())}
      >
        {words.shell.skip}
      </a>
      <Boundary>{saved ? <Saved review={saved} /> : <Served />}</Boundary>
    </>
  );
}

function Saved({ review }: { review: Review }) {
  return (
    <>
      <TopBar />
      <main id="content" tabIndex={-1} data-page="review">
        <ReviewView review={review} id={null} />
      </main>
    </>
  );
}

function Served() {
  const at = useRoute();
  const words = useWords();
  // The other pages show a heading of their own.
  const heading = { lobby: words.title, table: words.title, drills: words.drills.title }[at.page as string];
  return (
    <>
      <TopBar at={at} />
      <main id="content" tabIndex={-1} data-page={at.page}>
        {heading && <h1 class="unseen">{heading}</h1>}
        {at.page === "table" ? (
          <TablePage key={at.id} id={at.id} />
        ) : at.page === "review" ? (
          <ReviewPage key={at.id} id={at.id} />
        ) : at.page === "upload" ? (
          <UploadPage />
        ) : at.page === "history" ? (
          <HistoryPage />
        ) : at.page === "drills" ? (
          <DrillsPage />
        ) : at.page === "lesson" ? (
          <Lesson step={at.step} />
        ) : (
          <Lobby />
        )}
      </main>
    </>
  );
}

/** `at`: null in a saved review, which has no other pages. */
function TopBar({ at = null }: { at?: Route | null }) {
  const words = useWords();
  return (
    <header class="top">
      {at ? (
        <a class="brand" href="#/">
          {words.title}
        </a>
      ) : (
        <span class="brand">{words.title}</span>
      )}
      {at && <Tabs at={at} />}
      <SettingsMenu />
    </header>
  );
}

/** The tables of this browser; a dot, with reserved space, marks one that waits for the player. */
function Tabs({ at }: { at: Route }) {
  const words = useWords();
  const tables = useTables();
  if (tables.length === 0) return null;
  const leave = (one: { id: string; over: boolean }) => {
    if (!one.over && !confirm(words.play.leaveSure)) return;
    location.hash = "#/";
    leaveTable(one.id);
  };
  return (
    <nav class="tabs" aria-label={words.shell.tables}>
      {tables.map((one, number) => {
        const here = at.page === "table" && at.id === one.id;
        return (
          <span key={one.id} class={`tab ${here ? "here" : ""}`}>
            <a href={`#/table/${encodeURIComponent(one.id)}`} aria-current={here ? "page" : undefined}>
              {words.shell.table(number + 1)}
              {one.waits ? <i class="waits-here" role="img" aria-label={words.play.yourTurn} /> : <i />}
            </a>
            {here && (
              <button
                type="button"
                aria-label={words.play.leave(words.shell.table(number + 1))}
                onClick={() => leave(one)}
              >
                ×
              </button>
            )}
          </span>
        );
      })}
    </nav>
  );
}

function SettingsMenu() {
  const words = useWords();
  const now = useSettings();
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const outside =
        event instanceof KeyboardEvent ? event.key === "Escape" : !place.current?.contains(event.target as Node);
      if (outside) place.current?.removeAttribute("open");
    };
    addEventListener("pointerdown", close);
    addEventListener("keydown", close);
    return () => (removeEventListener("pointerdown", close), removeEventListener("keydown", close));
  }, []);
  return (
    <details class="menu" ref={place}>
      <summary>{words.shell.settings}</summary>
      <div class="menu-body">
        <label>
          {words.shell.languageLabel}
          <select
            value={now.language}
            onChange={(event) => change({ language: event.currentTarget.value as Language })}
          >
            {Object.entries(LANGUAGES).map(([key, one]) => (
              <option key={key} value={key} lang={key}>
                {one.language}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.shell.theme}
          <select
            value={now.theme}
            onChange={(event) => change({ theme: event.currentTarget.value as typeof now.theme })}
          >
            {(["auto", "light", "dark"] as const).map((key) => (
              <option key={key} value={key}>
                {words.shell.themes[key]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.shell.coach}
          <select
            value={now.coach}
            title={words.shell.coachDear}
            onChange={(event) => change({ coach: event.currentTarget.value as typeof now.coach })}
          >
            {(["off", "request", "dear", "always"] as const).map((key) => (
              <option key={key} value={key}>
                {words.shell.coaches[key]}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={now.indices}
            onChange={(event) => change({ indices: event.currentTarget.checked })}
          />
          {words.shell.indices}
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={now.sound}
            onChange={(event) => change({ sound: event.currentTarget.checked })}
          />
          {words.shell.sound}
        </label>
      </div>
    </details>
  );
}
