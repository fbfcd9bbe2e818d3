/** The games of the page; the first is the default of events without a game. */
import "./riichi";
import "./sichuan";
import "./plain";
