import { expect, test } from "vitest";
import { askedOf, hashOf, placeOf, type Place } from "./place";

test("a position and its parameters survive the address", () => {
  const place: Place = { at: 691, view: 2, open: true, tab: "list" };
  const asked = { seat: 1, by: "a b/c.pt" };
  for (const id of ["a/b c", null]) {
    const hash = hashOf(id, place, asked);
    expect(placeOf(hash)).toEqual(place);
    expect(askedOf(hash)).toEqual(asked);
  }
});

test("an address without a position is the beginning from the reviewed seat", () => {
  for (const hash of ["", "#", "#/review/x", "#/review/x?"])
    expect(placeOf(hash)).toEqual({ at: null, view: null, open: false, tab: null });
  expect(hashOf("x", { at: null, view: null, open: false, tab: null }, {})).toBe("#/review/x");
});

test("invalid parts of an address are ignored", () => {
  expect(placeOf("#/review/x?at=-1&view=1e9&open=perhaps&tab=all")).toEqual({
    at: null,
    view: null,
    open: false,
    tab: null,
  });
});
