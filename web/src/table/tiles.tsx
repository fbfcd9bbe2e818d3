/** One tile, drawn from the sprite that `Sprite` puts into the page once. */
import type { ComponentChildren } from "preact";
import { useWords } from "../i18n";
import sprite from "../tiles.svg?raw";
import { spoken, symbol } from "./names";

export function Sprite() {
  return <div class="sprite" aria-hidden="true" dangerouslySetInnerHTML={{ __html: sprite }} />;
}

interface Props {
  /** mjai's name; `?` shows the back. */
  name: string;
  /** Turned, like the riichi discard and called tiles. */
  turned?: boolean;
  /** Further classes, for example `dim`, `dora`, `drawn`. */
  class?: string | undefined;
  /** Not spoken, because the surrounding element has its name. */
  silent?: boolean;
  /** Overlay of the tile (bars, marks). */
  children?: ComponentChildren;
}

export function Tile({ name, turned = false, class: more = "", silent = false, children }: Props) {
  const words = useWords();
  const said = silent ? { "aria-hidden": true as const } : { role: "img" as const, "aria-label": spoken(name, words) };
  return (
    <span class={`tile ${turned ? "turned" : ""} ${more}`} data-tile={name} {...said}>
      <svg viewBox="0 0 60 80" aria-hidden="true" focusable="false">
        <use href={`#${symbol(name)}`} />
      </svg>
      {children}
    </span>
  );
}
