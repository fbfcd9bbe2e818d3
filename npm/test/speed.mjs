// Prints random decisions a second on one table; benchmarks/play.py measures Python's.
import { load } from "../dist/index.js";

const janshi = await load();
const decisions = 3_000_000;
for (const rules of ["tenhou-sanma", "tenhou", "sichuan", "sichuan-exchange"]) {
  const table = janshi.table(rules, { seed: 1 });
  table.playRandomly(100_000);
  const start = performance.now();
  table.playRandomly(decisions);
  console.log(rules, `${(decisions / (performance.now() - start) / 1000).toFixed(2)} million decisions/s`);
}
