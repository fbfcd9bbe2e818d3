/** `#/table/ID`: playing at a table, or watching one. */
export function TablePage({ id }: { id: string }) {
  return <h1>{id}</h1>;
}
