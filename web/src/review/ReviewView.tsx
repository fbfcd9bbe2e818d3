/** A reviewed game: the board at a position, the reviewer's advice there, and the summary. */
import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { CopyLink } from "../table/CopyLink";
import { GameShown, useWords, type Words } from "../i18n";
import type { Decision, Review } from "../messages";
import { download } from "../net/api";
import { transport } from "../net/transport";
import { RequestButton } from "../net/RequestButton";
import { Announce } from "../table/Announce";
import { Board, seenFrom } from "../table/Board";
import { Hand } from "../table/Hand";
import { ResultPanel } from "../table/ResultPanel";
import { partsOf } from "../table/games";
import { told } from "../table/told";
import { AdvicePanel } from "./AdvicePanel";
import { CallBars, tileBars } from "./bars";
import { percent, unitOf } from "./explain";
import { Mark } from "./marks";
import { Cost, MeasuredLoss } from "./Moment";
import { playerName, reviewerName, rulesName } from "../table/names";
import { hashOf, placeOf, TABS, type Asked, type Place, type Tab } from "./place";
import { clamp, replayOf, stateAt, step, type Replay, type Unit } from "./replay";
import { Differences, Hands, Summary } from "./Summary";
import { Transport } from "./Transport";
import { PlayFrom, WhatIf } from "./WhatIf";

interface Props {
  review: Review;
  /** Id of the review on the server; null for a saved report. */
  id: string | null;
  asked?: Asked;
  /** True while losses are measured. */
  measuring?: boolean;
  /** Request the review of another seat. */
  onSeat?: (seat: number) => void;
  /** Add the moments to the drills; null if they cannot be kept. */
  onPractise?: (() => Promise<unknown>) | null;
}

export function ReviewView(props: Props) {
  const game = useMemo(() => replayOf(props.review).states.at(-1)!.game, [props.review]);
  return (
    <GameShown.Provider value={game}>
      <OfGame {...props} />
    </GameShown.Provider>
  );
}

function OfGame({ review: given, id, asked = {}, measuring = false, onSeat, onPractise = null }: Props) {
  const words = useWords();
  const review = useMemo(() => named(given, words), [given, words]);
  const replay = useMemo(() => replayOf(review), [review]);
  const [place, change] = usePlace(id, asked);
  const tab = tabOf(place);
  const at = clamp(replay, place.at ?? replay.first);
  const view = seatIn(review, place);
  const go = (to: number) => change((now) => ({ ...now, tab: tabOf(now), at: clamp(replay, to) }));
  const move = (by: Unit, forward: boolean) =>
    change((now) => ({
      ...now,
      tab: tabOf(now),
      at: step(replay, clamp(replay, now.at ?? replay.first), by, forward, seatIn(review, now)),
    }));
  // A jump adds an entry to the browser's history, so that Back returns to its start.
  const jump = (to: number) => change((now) => ({ ...now, tab: tabOf(now), at: clamp(replay, to) }), true);
  const look = (to: number) => change((now) => ({ ...now, tab: "decision", at: clamp(replay, to) }), true);
  const side = useRef<HTMLElement>(null);
  useLayoutEffect(() => toTop(side.current), [tab, tab === "decision" ? at : 0]);
  const decision = replay.byPlace.get(at);
  useEffect(() => {
    document.title = `${review.names[review.seat]} · ${words.review.title} · ${words.title}`;
    return () => void (document.title = words.title);
  }, [review, words]);
  return (
    <div class="review">
      <h1 class="unseen">{words.review.of(review.names[review.seat] ?? "", review.by)}</h1>
      <Table
        replay={replay}
        at={at}
        view={view}
        open={place.open}
        decision={view === review.seat ? decision : undefined}
        go={go}
      />
      <Transport replay={replay} at={at} go={go} move={move}>
        {transport.served && <CopyLink address={steadyAddress} name={words.review.link} />}
        <Keys />
      </Transport>
      <aside class="review-side" ref={side}>
        <Head replay={replay} id={id} asked={asked} onSeat={onSeat} />
        <Tabs now={tab} choose={(tab) => change((now) => ({ ...now, tab }))} />
        <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
          {tab === "decision" && <Here replay={replay} id={id} at={at} go={go} />}
          {tab === "game" && (
            <Summary replay={replay} at={at} measuring={measuring} onPractise={onPractise} go={look} />
          )}
          {tab === "list" && <Differences replay={replay} at={at} go={jump} />}
          {tab === "hands" && <Hands replay={replay} at={at} go={look} />}
        </div>
        <View replay={replay} place={place} view={view} set={(part) => change((now) => ({ ...now, ...part }))} />
      </aside>
    </div>
  );
}

/** With names in the chosen language. */
function named(review: Review, words: Words): Review {
  const names = (all: unknown) => (all as string[]).map((name) => playerName(name, words));
  const events = review.events.map((event) =>
    Array.isArray(event["names"]) ? { ...event, names: names(event["names"]) } : event,
  );
  return { ...review, names: names(review.names), by: reviewerName(review.by, words), events };
}

/** New content is scrolled to its top, and the board stays visible. */
function toTop(side: HTMLElement | null): void {
  if (side === null) return;
  side.scrollTop = 0;
  const panel = side.querySelector(".tab-panel");
  if (panel !== null) panel.scrollTop = 0;
  const review = side.closest(".review");
  if (review !== null && review.getBoundingClientRect().top < 0) review.scrollIntoView();
}

function tabOf(place: Place): Tab {
  return place.tab ?? (place.at === null ? "game" : "decision");
}

/** The seat at the bottom. */
function seatIn(review: Review, place: Place): number {
  return place.view !== null && place.view < review.players ? place.view : review.seat;
}

/** The position, synchronised with the address (except during quick steps). */
function usePlace(
  id: string | null,
  asked: Asked,
): [Place, (change: (place: Place) => Place, jump?: boolean) => void] {
  const [place, setPlace] = useState<Place>(() => placeOf(location.hash));
  // Keys may be faster than rendering: each step starts from the last one's target.
  const now = useRef(place);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const listener = () => {
      clearTimeout(timer.current);
      setPlace((now.current = placeOf(location.hash)));
    };
    addEventListener("hashchange", listener);
    return () => {
      clearTimeout(timer.current);
      removeEventListener("hashchange", listener);
    };
  }, [id]);
  return [
    place,
    (change, jump = false) => {
      const before = now.current;
      setPlace((now.current = change(before)));
      clearTimeout(timer.current);
      const write = () => history.replaceState(null, "", hashOf(id, now.current, asked));
      if (!jump) return void (timer.current = setTimeout(write, 250));
      history.replaceState(null, "", hashOf(id, before, asked));
      history.pushState(null, "", hashOf(id, now.current, asked));
    },
  ];
}

interface TableProps {
  replay: Replay;
  at: number;
  view: number;
  open: boolean;
  decision: Decision | undefined;
  go: (at: number) => void;
}

function Table({ replay, at, view, open, decision, go }: TableProps) {
  const words = useWords();
  const whole = stateAt(replay, at);
  const state = open ? whole : seenFrom(whole, view);
  const own = state.seats[view];
  const over = whole.last?.type === "end_kyoku" || whole.end !== null;
  const next = step(replay, at, "hand", true, view);
  const bars = own && decision && tileBars({ ...decision, advice: decision.advice }, own);
  return (
    <div class="surface review-surface">
      <div class="play-board">
        <Board state={state} view={view} waiting={decision ? view : state.turn}>
          <Announce state={state} view={view} />
        </Board>
      </div>
      <div class="review-line">{decision && <CallBars {...decision} />}</div>
      <div class={`play-hand ${bars ? "with-bars" : ""}`}>
        {own && (
          <Hand
            seat={own}
            who={view}
            mark={(one, at) => `${partsOf(state).isDora(one.tile, state) ? "dora" : ""} ${bars?.mark(one, at) ?? ""}`}
            {...(bars ? { over: bars.over } : {})}
          />
        )}
      </div>
      {over && whole.result && (
        <ResultPanel
          key={at}
          state={{ ...whole, seat: view }}
          last={false}
          onNext={whole.end === null && next > at ? () => go(next) : null}
          quiet
        />
      )}
      <div class="unseen" role="log" aria-live="polite">
        {whole.last && told(whole.last, whole, view, words)}{" "}
        {decision && (decision.agrees ? words.review.agrees : words.review.differs)}
      </div>
    </div>
  );
}

/** The reviewer's advice at this position. */
function Here({ replay, id, at, go }: { replay: Replay; id: string | null; at: number; go: (at: number) => void }) {
  const words = useWords();
  const { review } = replay;
  const decision = replay.byPlace.get(at);
  if (!decision) {
    const next = step(replay, at, "turn", true, review.seat);
    const state = stateAt(replay, at);
    return (
      <div class="no-decision">
        <p>{state.last && told(state.last, state, review.seat, words)}</p>
        <p>{words.review.noDecision}</p>
        <button type="button" disabled={next === at} onClick={() => go(next)}>
          {words.review.toNext}
        </button>
      </div>
    );
  }
  return (
    <div class="here">
      <p class="here-head">
        <strong class={decision.agrees ? "agrees" : "differs"}>
          {decision.agrees ? words.review.agrees : words.review.differs}
        </strong>
        {!decision.agrees && <Cost decision={decision} review={review} />}
        <span class="here-number">{words.review.number(decision.number + 1, review.decisions.length)}</span>
      </p>
      <MeasuredLoss decision={decision} state={stateAt(replay, at)} seat={review.seat} unit={unitOf(review)} terms />
      <AdvicePanel
        advice={decision.advice}
        options={decision.options}
        names={stateAt(replay, at).names}
        done={decision.done}
        loss={decision.loss}
      />
      {id !== null && review.plays_on && (
        <Fragment key={decision.number}>
          {transport.served && <PlayFrom review={id} seat={review.seat} decision={decision.number} />}
          <WhatIf id={id} seat={review.seat} unit={unitOf(review)} decision={decision} state={stateAt(replay, at)} />
        </Fragment>
      )}
      <p class="legend">
        <span>
          <Mark of="best" /> {words.review.best(review.by)}
        </span>
        <span>
          <Mark of="done" /> {words.review.done}
        </span>
      </p>
    </div>
  );
}

function Head({
  replay,
  id,
  asked,
  onSeat,
}: {
  replay: Replay;
  id: string | null;
  asked: Asked;
  onSeat: Props["onSeat"];
}) {
  const words = useWords();
  const { review } = replay;
  const names = stateAt(replay, replay.last).names;
  const { total, rating } = review.report;
  return (
    <header class="review-head">
      <div class="review-who">
        {onSeat ? (
          <label>
            <span>{words.review.reviewed}</span>
            <select value={review.seat} onChange={(event) => onSeat(Number(event.currentTarget.value))}>
              {names.map((name, seat) => (
                <option key={seat} value={seat}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <strong>{names[review.seat]}</strong>
        )}
        <span class="review-about">
          {rulesName(review.rules, words)} · {review.by}
        </span>
      </div>
      <div class="review-rating" title={words.review.ratingAbout}>
        <strong>{rating.toFixed(1)}</strong>
        <span>
          {words.review.rating} · {percent(total.decisions > 0 ? total.agreed / total.decisions : 1)}{" "}
          {words.review.agreement.toLowerCase()}
        </span>
      </div>
      {id !== null && transport.served && <Save id={id} asked={asked} seat={review.seat} />}
    </header>
  );
}

function Save({ id, asked, seat }: { id: string; asked: Asked; seat: number }) {
  const words = useWords();
  const query = new URLSearchParams({ seat: String(seat), ...(asked.by === undefined ? {} : { by: asked.by }) });
  const request = () => download(`api/reviews/${encodeURIComponent(id)}/report.html?${query}`, "review.html");
  return (
    <RequestButton class="save" request={request} waiting={words.review.saving}>
      {words.review.save}
    </RequestButton>
  );
}

function Tabs({ now, choose }: { now: Tab; choose: (tab: Tab) => void }) {
  const words = useWords();
  const place = useRef<HTMLDivElement>(null);
  /** After a click the arrow keys step through the game; with keyboard focus they move between tabs. */
  const press = (event: MouseEvent, tab: Tab) => {
    choose(tab);
    if (event.detail > 0) document.getElementById("tab-panel")?.focus({ preventScroll: true });
  };
  const move = (event: KeyboardEvent) => {
    const to = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (to === undefined || event.shiftKey) return;
    event.preventDefault();
    const tab = TABS[(TABS.indexOf(now) + to + TABS.length) % TABS.length] ?? now;
    choose(tab);
    place.current?.querySelector<HTMLElement>(`#tab-${tab}`)?.focus();
  };
  return (
    <div class="tablist" role="tablist" aria-label={words.review.title} ref={place} onKeyDown={move}>
      {TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          aria-selected={tab === now}
          aria-controls="tab-panel"
          tabIndex={tab === now ? 0 : -1}
          onClick={(event) => press(event, tab)}
        >
          {words.review.tabs[tab]}
        </button>
      ))}
    </div>
  );
}

interface ViewProps {
  replay: Replay;
  place: Place;
  view: number;
  set: (part: Partial<Place>) => void;
}

function View({ replay, place, view, set }: ViewProps) {
  const words = useWords();
  const names = stateAt(replay, replay.last).names;
  return (
    <div class="view-controls">
      <label>
        <span>{words.review.view}</span>
        <select value={view} onChange={(event) => set({ view: Number(event.currentTarget.value) })}>
          {names.map((name, seat) => (
            <option key={seat} value={seat}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked={place.open} onChange={(event) => set({ open: event.currentTarget.checked })} />
        {words.review.open}
      </label>
    </div>
  );
}

/** The address is updated shortly after a step. */
async function steadyAddress(): Promise<string> {
  await new Promise((done) => setTimeout(done, 300));
  return location.href;
}

function Keys() {
  const words = useWords();
  return (
    <details class="keys">
      <summary>{words.review.steps.keys}</summary>
      <dl>
        {words.review.steps.keyList.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
