import { expect, test } from "vitest";
import { adjustedPlaces } from "./Course";

test("the luck of earlier hands is taken from the expected places", () => {
  const places = [
    [2, 2, 2],
    [1.5, 2, 2.5],
    [1, 2, 3],
  ];
  const luck = [
    [0.75, 0, -0.75],
    [-0.25, 0, 0.25],
  ];
  expect(adjustedPlaces({ places, luck, seat: 0 })).toEqual([2, 2.25, 1.5]);
  expect(adjustedPlaces({ places, luck, seat: 2 })).toEqual([2, 1.75, 2.5]);
  expect(adjustedPlaces({ places, luck: [], seat: 0 })).toEqual([]);
});
