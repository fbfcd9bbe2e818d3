/** A button that copies an address with a confirmation. */
import { useState } from "preact/hooks";
import { useWords } from "../i18n";

interface Props {
  address: () => string | Promise<string>;
  name: string;
  about?: string;
}

export function CopyLink({ address, name, about }: Props) {
  const words = useWords();
  const [said, setSaid] = useState<string | null>(null);
  const copy = async () => {
    const text = await address();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return void prompt(name, text); // no clipboard: an address without https has none
    }
    setSaid(words.review.linkCopied);
    setTimeout(() => setSaid(null), 2500);
  };
  return (
    <button type="button" class="quiet" title={about} onClick={copy}>
      <span role="status">{said ?? name}</span>
    </button>
  );
}
