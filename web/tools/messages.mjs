// Generates src/messages.ts from the Python schema. PYTHON names an interpreter that can import janshi.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const code = `
import hashlib, json
from janshi.web.messages import schema
text = json.dumps(schema(), sort_keys=True)
print(hashlib.sha256(text.encode()).hexdigest()[:16])
print(text)
`;
const [digest, text] = execFileSync(process.env.PYTHON ?? "python", ["-c", code], { encoding: "utf8" }).split("\n");
const schema = JSON.parse(text);

/** Titles of fields would each become a separate type. */
function untitled(node, top) {
  if (Array.isArray(node)) return node.map((one) => untitled(one, false));
  if (node === null || typeof node !== "object") return node;
  const entries = Object.entries(node).filter(([key, value]) => top || key !== "title" || typeof value !== "string");
  return Object.fromEntries(entries.map(([key, value]) => [key, untitled(value, false)]));
}

const definitions = Object.fromEntries(
  Object.entries(schema.$defs).map(([name, one]) => {
    // Short lists with a bound would become a union of tuples.
    const plain = JSON.parse(JSON.stringify(untitled(one, false)), (key, value) =>
      value && typeof value === "object" && value.type === "array"
        ? { type: "array", items: value.items, description: value.description }
        : value,
    );
    return [name, { ...plain, title: name, additionalProperties: false }];
  }),
);
const refs = Object.keys(definitions).map((name) => ({ $ref: `#/$defs/${name}` }));
const [fromBrowser, fromServer] = schema.anyOf.filter((one) => one.discriminator).map((one) => one.oneOf);
definitions.FromBrowser = { title: "FromBrowser", anyOf: fromBrowser };
definitions.FromServer = { title: "FromServer", anyOf: fromServer };
const made = await compile(
  {
    $defs: definitions,
    title: "Anything",
    anyOf: [...refs, { $ref: "#/$defs/FromBrowser" }, { $ref: "#/$defs/FromServer" }],
  },
  "Anything",
  {
    bannerComment: `// Made from janshi.web.messages by \`npm run messages\`; do not edit. Schema: ${digest}`,
    additionalProperties: false,
    unreachableDefinitions: false,
    format: true,
    style: { printWidth: 120 },
  },
);
writeFileSync(new URL("../src/messages.ts", import.meta.url), made);
