import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useWords } from "../i18n";
import { reasonOf } from "./reason";

interface Props {
  class: string;
  title?: string;
  request: () => Promise<unknown>;
  children: ComponentChildren;
  /** Shown instead of the children until the request is answered. */
  waiting?: string;
}

/** A button that makes a request: disabled meanwhile, and with the reason beside it if it fails. */
export function RequestButton({ request, children, waiting, ...button }: Props) {
  const words = useWords();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const press = async () => {
    setBusy(true);
    setFailed(null);
    await request().catch((error: unknown) => setFailed(reasonOf(error, words)));
    setBusy(false);
  };
  return (
    <>
      <button type="button" {...button} disabled={busy} onClick={press}>
        {busy && waiting ? waiting : children}
      </button>
      {failed !== null && (
        <p class="warning" role="alert">
          {failed}
        </p>
      )}
    </>
  );
}
