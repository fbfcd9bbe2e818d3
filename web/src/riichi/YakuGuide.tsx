/** All yaku with their han and an example. */
import { Fragment } from "preact";
import { useWords } from "../i18n";
import { settings } from "../settings";
import { Tile } from "../table/tiles";
import { yakuName } from "./parts";
import { YAKU } from "./yaku";

const YAKUMAN = 13;
/** Winds beside the first, han that are no yaku, the local ones, and the hand of man, which few rules have. */
const LEFT_OUT = new Set([11, 12, 13, 15, 16, 17, 36, 52, 53, 54, 55, 56]);

export function YakuGuide() {
  const words = useWords();
  const text = words.play.yaku;
  const english = settings().language === "en";
  const shown = YAKU.map((row, number) => ({ row, number }))
    .filter(({ number }) => !LEFT_OUT.has(number))
    .sort((one, other) => one.row[3] - other.row[3] || one.number - other.number);
  const han = (number: number) => (number === YAKUMAN ? words.result.limits[5] : number || "–");
  return (
    <details class="yaku-guide">
      <summary>{text.title}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.name}</th>
            <th scope="col">{text.closed}</th>
            <th scope="col">{text.open}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ row: [romaji, meaning, , closed, open, example], number }) => (
            <Fragment key={number}>
              <tr>
                <th scope="row">
                  {yakuName(number).replace(/ east$|(?<=[風风])[東东]$/, "")}
                  {english && meaning !== romaji && <small> {meaning.replace(/ east$/, "")}</small>}
                </th>
                <td>{han(closed)}</td>
                <td>{han(open)}</td>
              </tr>
              {example && (
                <tr>
                  <td class="yaku-example" colSpan={3} aria-label={text.example}>
                    {example.split(" ").map((tile, at) => (
                      <Tile key={at} name={tile} />
                    ))}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </details>
  );
}
