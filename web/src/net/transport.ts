/** The way to the server, which the page without a server replaces (`web/offline`). */

export interface Socket {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Transport {
  /** True with a server, which can be reached from other browsers and writes reviews as files. */
  readonly served: boolean;
  fetch(path: string, init: RequestInit): Promise<Response>;
  /** A WebSocket to the server; `token`: its secret, if it asks for one. */
  open(token: string | null): Socket;
}

const server: Transport = {
  served: true,
  fetch: (path, init) => fetch(new URL(path, document.baseURI), init),
  open: (token) => {
    const address = new URL("ws", document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    if (token !== null) address.searchParams.set("token", token);
    return new WebSocket(address) as Socket;
  },
};

export let transport = server;

export function useTransport(other: Transport): void {
  transport = other;
}
