/** What this browser has stored, and what an address says: strangers may have written either. */

/** Return the JSON value under a key; null if there is none, or no storage. */
export function stored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Return the text of a part of an address; one that is damaged stays as it is. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Forget everything that this browser has stored for the page. */
export function forget(): void {
  for (const storage of ["localStorage", "sessionStorage"] as const) {
    try {
      for (const key of Object.keys(globalThis[storage]))
        if (key.startsWith("janshi.")) globalThis[storage].removeItem(key);
    } catch {
      // there is no storage
    }
  }
}
