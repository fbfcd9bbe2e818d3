import { useWords } from "../i18n";

export function Lobby() {
  const words = useWords();
  return <h1>{words.title}</h1>;
}
