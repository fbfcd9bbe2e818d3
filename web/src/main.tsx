import { render } from "preact";
import { App } from "./app";
import "./games";
import type { Review } from "./messages";
import { takeToken } from "./net/api";
import { apply } from "./settings";
import "./style/base.css";
import "./style/tiles.css";
import "./style/board.css";
import "./style/play.css";
import "./style/sichuan.css";
import "./style/review.css";
import "./style/lesson.css";

/** A saved review carries its data in the page itself. */
function saved(): Review | null {
  const text = document.getElementById("review")?.textContent;
  return text ? (JSON.parse(text) as Review) : null;
}

const review = saved();
if (review === null) takeToken();
apply();
const place = document.getElementById("app");
if (place) render(<App saved={review} />, place);
