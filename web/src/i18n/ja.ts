import type { Words } from "./en";

const WINDS = { E: "東", S: "南", W: "西", N: "北" } as Record<string, string>;

export const ja: Words = {
  language: "日本語",
  title: "雀士",
  shell: {
    lobby: "ロビー",
    review: "検討",
    settings: "設定",
    theme: "配色",
    themes: { auto: "システムに合わせる", light: "ライト", dark: "ダーク" },
    languageLabel: "言語",
    indices: "牌に数字を表示",
    pace: "他家の速さ",
    paces: { instant: "即時", quick: "速い", normal: "普通", slow: "遅い" },
    skip: "本文へ",
    close: "閉じる",
    tables: "卓",
    loading: "読み込み中…",
    unreachable: "サーバーが応答しません。janshi は動いていますか。",
    again: "再試行",
  },
  tiles: {
    suits: { m: "萬", p: "筒", s: "索" },
    honours: { E: "東", S: "南", W: "西", N: "北", P: "白", F: "發", C: "中" },
    red: (tile) => `赤${tile}`,
    hidden: "裏向きの牌",
  },
  winds: WINDS,
  round: (wind, number) => `${WINDS[wind] ?? wind}${"〇一二三四"[number] ?? number}局`,
  count: { tiles: (many) => `${many}枚` },
};
