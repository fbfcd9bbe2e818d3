/** The course of a game: points and expected final place of every seat by hand, with a link to each hand. */
import { useWords } from "../i18n";
import type { Review } from "../messages";
import { signed } from "../table/signed";
import { places, unitOf } from "./explain";
import { stateAt, type Replay } from "./replay";
import { handName } from "./Transport";

/** Size of a chart and its margins, in units that the page scales. */
const [WIDTH, HEIGHT, TOP, LEFT, RIGHT] = [360, 110, 8, 34, 12];

interface Props {
  replay: Replay;
  at: number;
  go: (at: number) => void;
}

export function Course({ replay, at, go }: Props) {
  const words = useWords();
  const text = words.review.course;
  const { review, hands, last } = replay;
  if (hands.length < 2) return null;
  const points = [...hands.map((hand) => hand.start), last].map((place) =>
    stateAt(replay, place).seats.map((seat) => seat.score),
  );
  const expected = review.places ?? [];
  const adjusted = adjustedPlaces(review);
  const [least, most] = [Math.min(0, ...points.flat()), Math.max(1, ...points.flat())];
  const inPoints = unitOf(review) === "points";
  return (
    <section class="course" aria-label={text.title}>
      <h2>{text.title}</h2>
      {expected.length > 0 && (
        <Chart
          {...{ replay, at, go }}
          title={text.place}
          rows={expected}
          adjusted={adjusted}
          range={[review.players, 1]}
          ticks={review.names.map((_, seat) => seat + 1)}
          show={(value) => (Number.isInteger(value) ? `${value}` : places(value))}
        />
      )}
      <Chart
        {...{ replay, at, go }}
        title={inPoints ? words.end.score : text.points}
        rows={points}
        range={[least, most]}
        ticks={inPoints ? [...new Set([least, 0, most])] : [0, 25000, 50000, 75000].filter((one) => one <= most)}
        show={(value) => `${inPoints ? value : Math.round(value / 100) / 10}`.replace("-", "\u2212")}
      />
      <p class="about">
        {text.about(review.names[review.seat] ?? "")} {expected.length > 0 && text.placeAbout}
      </p>
      {adjusted.length > 0 && (
        <p>
          <strong>{text.luck(signed(adjusted.at(-1)! - expected.at(-1)![review.seat]!, 2))}</strong>{" "}
          <strong>{text.rest(signed(adjusted[0]! - adjusted.at(-1)!, 2))}</strong>{" "}
          <span class="about">{text.luckAbout}</span>
        </p>
      )}
    </section>
  );
}

/** The expected places of the reviewed seat as they would have been without luck; empty if it is not known. */
export function adjustedPlaces({ places = [], luck = [], seat }: Pick<Review, "places" | "luck" | "seat">): number[] {
  if (luck.length === 0) return [];
  let gained = 0;
  return places.map((row, hand) => {
    const place = row[seat]! + gained;
    gained += luck[hand]?.[seat] ?? 0;
    return place;
  });
}

interface ChartProps extends Props {
  title: string;
  /** Values of the reviewed seat without luck, by hand. */
  adjusted?: readonly number[];
  /** Values by hand and seat; behind the last hand those of the end. */
  rows: readonly (readonly number[])[];
  /** Values at the bottom and at the top. */
  range: readonly [number, number];
  ticks: readonly number[];
  show: (value: number) => string;
}

function Chart({ replay, at, go, title, rows, adjusted = [], range, ticks, show }: ChartProps) {
  const words = useWords();
  const { review, hands, last } = replay;
  const step = (WIDTH - LEFT - RIGHT) / hands.length;
  const x = (hand: number) => LEFT + hand * step;
  const y = (value: number) => TOP + ((range[1] - value) / (range[1] - range[0])) * (HEIGHT - 2 * TOP);
  const inside = (value: number) => Math.min(Math.max(value, Math.min(...range)), Math.max(...range));
  const line = (seat: number) => rows.map((row, hand) => `${x(hand)},${y(row[seat] ?? 0)}`).join(" ");
  const others = review.names.map((_, seat) => seat).filter((seat) => seat !== review.seat);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
            <text x={LEFT - 6} y={y(tick) + 4}>
              {show(tick)}
            </text>
          </g>
        ))}
        {[...others, review.seat].map((seat) => (
          <polyline key={seat} class={seat === review.seat ? "own" : ""} points={line(seat)} />
        ))}
        <polyline
          class="own adjusted"
          points={adjusted.map((value, hand) => `${x(hand)},${y(inside(value))}`).join(" ")}
        />
        {rows.map((row, number) => {
          const hand = hands[number];
          const name = hand ? handName(replay, hand, words) : words.review.course.end;
          const place = hand?.start ?? last;
          const here = hand ? place <= at && at <= hand.end : at === last;
          const values = row.map((value, seat) => `${review.names[seat] ?? seat} ${show(value)}`);
          const label = `${name}: ${values.join(words.review.separator)}`;
          return (
            <g
              key={number}
              class={here ? "here" : ""}
              role="button"
              tabindex={0}
              aria-label={label}
              onClick={() => go(place)}
              onKeyDown={(event) => event.key === "Enter" && go(place)}
            >
              <title>{label}</title>
              <rect x={x(number) - step / 2} y={0} width={step} height={HEIGHT} />
              <circle cx={x(number)} cy={y(row[review.seat] ?? 0)} r={3} />
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
