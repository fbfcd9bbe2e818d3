/** What the page shows where drawing it failed: a word and a way out, never nothing. */
import { Component, type ComponentChildren } from "preact";
import { useWords } from "./i18n";
import { forget } from "./stored";

export class Boundary extends Component<{ children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false };

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ failed: true });
  }

  render() {
    return this.state.failed ? <Failed /> : this.props.children;
  }
}

function Failed() {
  const words = useWords();
  const restart = () => {
    location.hash = "#/";
    location.reload();
  };
  return (
    <div class="lobby failed">
      <section class="card choice" role="alert">
        <h1>{words.shell.broken}</h1>
        <p>{words.shell.brokenAbout}</p>
        <button type="button" class="primary" onClick={restart}>
          {words.shell.startPage}
        </button>
        <button type="button" onClick={() => (forget(), restart())}>
          {words.shell.forget}
        </button>
      </section>
    </div>
  );
}
