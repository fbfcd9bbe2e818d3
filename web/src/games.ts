/** The games of the page; the first is what events are of that name none. */
import "./riichi";
import "./sichuan";
