/** English texts of the first lesson. */

export interface StepWords {
  title: string;
  text: string;
  /** Captions of the tiles shown, row by row. */
  rows?: string[];
  ask?: string;
  /** The answers to the right and to a wrong tile. */
  right?: string;
  wrong?: string;
  /** Buttons with their answers. */
  options?: [string, string][];
}

export const lessonEn = {
  title: "A first lesson",
  offer: "New to mahjong?",
  lead: "Riichi mahjong in about ten minutes, with small exercises and a guided hand at the end.",
  open: "Start the lesson",
  progress: (step: number, of: number) => `${step} of ${of}`,
  back: "Back",
  next: "Next",
  correct: "Right.",
  more: (found: number, of: number) => `${found} of ${of} found.`,
  no: "No.",
  wrong: (tile: string, why: string) => `${tile}: ${why}`,
  han: "Han",
  others: "Non-dealer",
  dealer: "Dealer",
  play: "Play a guided hand",
  steps: {
    goal: {
      title: "The goal",
      text: "Four people play, or three. Each holds 13 tiles and in turn draws one and discards one. Whoever is first to complete a hand of four sets and a pair, like this one, wins the hand.",
    },
    tiles: {
      title: "The tiles",
      text: "Three suits have the numbers 1 to 9: man (characters), pin (circles) and sou (bamboo; its 1 is a bird). Four winds and three dragons, white, green and red, are the honours. There are four of each tile. The box above puts numerals on them.",
      ask: "Click the three honours.",
      right: "East and North are winds, the third is the red dragon.",
      wrong: "it has a number and belongs to a suit.",
    },
    sets: {
      title: "Sets",
      text: "A set is a run, three consecutive numbers of one suit, or a triplet, three equal tiles. Honours form triplets only. No run goes on from 9 to 1.",
      ask: "Which three tiles form a run? Click them.",
      right: "4, 5 and 6 of pin are a run.",
      wrong: "a run needs three consecutive numbers of the same suit.",
    },
    hand: {
      title: "Four sets and a pair",
      text: "This hand has three sets, a pair, and two tiles of a fourth set. Only one tile is missing: the hand is tenpai.",
      ask: "Which tile completes the hand?",
      right: "6, 7 and 8 are the fourth set.",
      wrong: "it does not complete 6 and 8 of pin to a run.",
    },
    waits: {
      title: "Waits",
      text: "The tiles that complete a hand are its waits. The hand before had a closed wait, for the one number in between. Two consecutive numbers can be completed at both ends: twice as many tiles win.",
      ask: "Which tiles win? Click all of them.",
      right: "5, 6, 7 or 6, 7, 8: a two-sided wait.",
      wrong: "it does not complete 6 and 7 of pin to a run.",
    },
    turn: {
      title: "Draw and discard",
      text: "In your turn you draw a tile and then discard one, so that 13 remain. Keep tiles that belong together and discard single ones.",
      ask: "You hold 14 tiles. Which one is of no use?",
      right: "Without it the hand is tenpai and waits for 6 and 9 of man.",
      wrong: "it is part of a set, of the pair, or of two tiles that can become a set.",
    },
    win: {
      title: "Tsumo and ron",
      text: "If you draw a winning tile yourself, you win by tsumo and all others pay. If another player discards it, you win by ron, whoever’s turn is next, and only that player pays.",
      ask: "This is your hand. The player opposite discards 8 of pin. What do you declare?",
      options: [
        ["Ron", "6, 7 and 8 complete the hand, and the player opposite pays."],
        ["Tsumo", "Tsumo wins with a tile that you draw yourself."],
        ["Nothing", "8 of pin is a wait of this hand: you may win with it."],
      ],
    },
    calls: {
      title: "Calls",
      text: "A discard of another player may complete a set of yours: a triplet from anybody (pon), a run only from the player on your left (chii). Four equal tiles can be declared as a kan. A called set lies open, and the hand is no longer closed; some yaku need a closed hand.",
      ask: "This is your hand. Which of these discards of the player opposite can you call?",
      right: "With your two equal tiles it makes a triplet: pon.",
      wrong: "pon needs two equal tiles in your hand, and a chii is only possible from the player on your left.",
    },
    yaku: {
      title: "No win without a yaku",
      text: "A complete hand wins only if it has a yaku, a certain pattern or way to win. A triplet of dragons is one, and so is one of your own wind or of the round’s wind. Open hands easily end up without any.",
      ask: "Both hands are open. Which one may win by ron on the tile set apart?",
      options: [
        ["First hand", "It has four sets and a pair, but no yaku."],
        ["Second hand", "The triplet of white dragons is a yaku."],
      ],
    },
    tanyao: {
      title: "Tanyao",
      text: "The simplest yaku is tanyao: numbers from 2 to 8 only, no 1, no 9 and no honour. By Tenhou’s rules it counts in an open hand too. The list below has all yaku.",
      ask: "You want tanyao. Which three tiles have to go?",
      right: "All others are numbers from 2 to 8.",
      wrong: "it is a number from 2 to 8 and can stay.",
    },
    riichi: {
      title: "Riichi",
      text: "With a closed hand that is tenpai you may declare riichi and put down 1,000 points. From then on you discard each tile that you draw unless it wins. Riichi is a yaku, so any closed hand can win with it.",
      ask: "The hands are shown after the discard. Which one may declare riichi?",
      options: [
        ["First hand", "It is tenpai, but open: a run has been called."],
        ["Second hand", "It is closed and waits for 5 and 8 of pin."],
        ["Third hand", "It is closed, but not yet tenpai."],
      ],
    },
    dora: {
      title: "Dora",
      text: "An open tile of the wall, the indicator, tells the dora: the next tile of its suit, with 1 after 9. Winds go East, South, West, North, dragons white, green, red, each beginning again. Each dora, and each red five, adds one han to a win, but is no yaku.",
      rows: ["Indicator"],
      ask: "Which tile is the dora?",
      right: "1 follows 9.",
      wrong: "the dora is the tile that follows the indicator in the same suit.",
    },
    furiten: {
      title: "Furiten",
      text: "If one of your waits is among your own discards, you are furiten: you cannot win by ron on any of your waits, only by tsumo. Whoever passes up a ron is furiten too, until the next own turn, and after riichi for the rest of the hand.",
      rows: ["Your hand", "Your discards"],
      ask: "Another player discards 5 of pin. May you win by ron?",
      options: [
        ["Yes", "The hand waits for 5 and 8 of pin, and your discards contain an 8 of pin."],
        ["No", "You have discarded 8 of pin, one of your waits, so there is no ron on 5 of pin either."],
      ],
    },
    points: {
      title: "Han and points",
      text: "The han of all yaku and dora are added up. The table shows the points for a ron with 30 fu, the most frequent value; fu depend on sets, wait and pair. From 5 han on, fu no longer count.",
      rows: ["Winning hand, by ron", "Indicator"],
      ask: "The yaku is tanyao (1 han). How many han is the hand worth?",
      options: [
        ["1 han", "The indicator makes 5 of sou the dora. It is no yaku, but adds han."],
        ["2 han", "The hand has two 5 of sou, and each is a dora."],
        ["3 han", "Tanyao 1, dora 2: 3,900 points, for the dealer 5,800."],
      ],
    },
    game: {
      title: "The game",
      text: "A game of four begins with 25,000 points each and has four hands or more, a long one eight; it ends early if someone falls below zero. At the end only the order of the points counts: a cheap win that secures a better place can be worth more than an expensive one. Now play a hand against players that choose at random: the hints show at each decision what a strong player would choose.",
    },
  } as Record<string, StepWords>,
};

export type LessonWords = typeof lessonEn;
