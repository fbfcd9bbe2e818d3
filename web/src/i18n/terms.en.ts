/**
 * Terms of mahjong in English: the written forms, of which the first is the name, and the meaning. Games list
 * their own in `terms`.
 */
export const termsEn = {
  shanten: ["shanten", "The number of tiles that a hand needs to become tenpai. 1-shanten is one tile away from it."],
  tenpai: ["tenpai", "A hand that needs one more tile to be complete. The tiles that complete it are its waits."],
  ukeire: [
    "ukeire",
    "The tiles that bring a hand one step forward, as the number of kinds and of tiles not seen yet. In tenpai they are the waits.",
  ],
  furiten: [
    "furiten",
    "A tenpai hand that cannot win by ron because one of its waits is in its own river, or because the player has passed a winning tile. It can still win by tsumo.",
  ],
  riichi: [
    "riichi",
    "A declaration of a closed tenpai hand, with a deposit of 1,000 points. It is a yaku, and the hand no longer changes.",
  ],
  dama: [
    "dama",
    "A closed tenpai hand without riichi. The others have no warning and the hand can change, but it needs another yaku to win by ron.",
  ],
  genbutsu: [
    "genbutsu",
    "A tile on which a player cannot win by ron, because it is in that player's own river or was passed since the riichi.",
  ],
  suji: [
    "suji",
    "A tile that no ryanmen can win on, because the other end of the wait is in the player's river: 1 and 7 after a 4. Other waits still can.",
  ],
  noChance: [
    "no-chance",
    "A tile that no ryanmen can win on, because all four tiles of a number that the wait needs are seen. Other waits still can.",
  ],
  oneChance: [
    "one-chance",
    "A tile that ryanmen can hardly win on, because only one tile of a number that the wait needs is not seen.",
  ],
  ryanmen: ["ryanmen", "A two-sided wait: two neighbouring numbers that wait at both ends, as 45 for 3 and 6."],
  kanchan: ["kanchan", "A wait for the middle number of a run, as 46 for 5."],
  penchan: ["penchan", "A wait at the edge of a suit: 12 for 3, or 89 for 7."],
  shanpon: ["shanpon", "A wait of two pairs, either of which can become a triplet."],
  tanki: ["tanki", "A wait of a single tile for its pair."],
  dealIn: [
    "deal-in|deals in",
    "The discard of a tile on which another player wins. The discarder pays for the win alone.",
  ],
  chii: ["chii", "A call of the left player's discard that completes a run. It opens the hand."],
  pon: ["pon", "A call of any player's discard that completes a triplet. It opens the hand."],
  kan: [
    "kan",
    "Four tiles of a kind as one set, followed by a replacement tile and another dora indicator. A closed kan leaves the hand closed.",
  ],
  kita: ["kita", "In three-player mahjong, a North set aside as dora, followed by a replacement tile."],
  ron: ["ron", "A win on another player's tile, usually a discard. That player pays alone."],
  tsumo: ["tsumo", "A win on the player's own draw. All others pay."],
  yaku: [
    "yaku",
    "A pattern or event that a hand needs to win, such as riichi or tanyao. Each yaku is worth one or more han.",
  ],
  han: ["han", "The unit in which yaku and dora are counted. Below the limit hands, each han doubles the points."],
  dora: [
    "dora",
    "A tile that adds one han to a winning hand: the tile that follows the indicator, or a red five. Dora are no yaku.",
  ],
  kyuushu: [
    "kyuushu kyuuhai",
    "Nine or more kinds of terminals and honours after the first draw, before any call. The player may abort the hand.",
  ],
  voidSuit: [
    "void suit|voiding",
    "The suit that a player gives up before play. Its tiles are discarded first, and a hand with one of them cannot win.",
  ],
  exchange: ["exchange", "Before play, each player passes on three tiles of one suit. Dice determine the direction."],
  flowerPig: [
    "flower pig",
    "A player who still holds tiles of the void suit when the wall is empty. A flower pig pays a penalty to others.",
  ],
  fan: ["fan", "The unit of a hand's value: each fan doubles it, up to a maximum. A hand without fan can win, too."],
  kong: [
    "kong",
    "Four tiles of a kind as one set, followed by a replacement tile. It adds one fan, and other players usually pay for it at once.",
  ],
  root: ["root", "Four tiles of a kind in a winning hand that are not a kong. Each root adds one fan."],
  goldenWait: [
    "golden single wait",
    "A hand of four pungs or kongs, usually all called, that waits for the second tile of its pair. It adds one fan.",
  ],
  pung: [
    "pung",
    "A call of any player's discard that completes a triplet. Tiles of the own void suit cannot be called.",
  ],
} satisfies Record<string, [string, string]>;

export type TermName = keyof typeof termsEn;
export type TermWords = Record<TermName, [string, string]>;
