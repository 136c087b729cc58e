// Imports from the index of a component library become imports from the file of each component. Otherwise esbuild puts every
// component that any page uses into the part of the bundle that is loaded first.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

interface Origin {
  /** An absolute path, or a package. */
  readonly file: string;
  /** What it exports it as. */
  readonly name: string;
}

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
const indexes = {
  "@mantine/core": "esm/index.mjs",
  "@mantine/dates": "esm/index.mjs",
  "@mantine/hooks": "esm/index.mjs",
  "@mantine/notifications": "esm/index.mjs",
  "@mantine/spotlight": "esm/index.mjs",
  "@tabler/icons-react": "dist/esm/tabler-icons-react.mjs",
};

/** `import { Button, type ButtonProps } from "@mantine/core"` */
const namedImport =
  /^import \{([^}]*)\} from ["'](@mantine\/(?:core|dates|hooks|notifications|spotlight)|@tabler\/icons-react)["'];?/gm;

const origins = new Map(
  Object.entries(indexes).map(([library, index]) => [
    library,
    originsIn(library, index),
  ]),
);

export function withDirectImports(source: string): string {
  return source.replaceAll(
    namedImport,
    (statement, names: string, library: string) =>
      directly(names, origins.get(library) ?? new Map()) ?? statement,
  );
}

/** In one line, so that the other lines keep their numbers; undefined where a name has no file of its own. */
function directly(
  names: string,
  origins: ReadonlyMap<string, Origin>,
): string | undefined {
  const statements: string[] = [];
  for (const specifier of names.split(",").map((one) => one.trim())) {
    if (specifier === "" || specifier.startsWith("type ")) continue;
    const [name = "", local = name] = specifier.split(" as ");
    const origin = origins.get(name);
    if (origin === undefined) return undefined;
    statements.push(
      `import { ${origin.name} as ${local} } from ${JSON.stringify(origin.file)};`,
    );
  }
  return statements.join(" ");
}

/** By the name under which the library exports it. */
function originsIn(
  library: string,
  index: string,
): ReadonlyMap<string, Origin> {
  const file = join(modules, library, index);
  const fileOf = (from: string): string =>
    from.startsWith(".") ? join(dirname(file), from) : from;
  const source = readFileSync(file, "utf8");
  const imported = new Map<string, Origin>();
  for (const [, names = "", from = ""] of source.matchAll(
    /^import \{([^}]*)\} from ["']([^"']+)["']/gm,
  ))
    for (const [name, local] of specifiersIn(names))
      imported.set(local, { file: fileOf(from), name });
  const exported = new Map<string, Origin>();
  for (const [, names = "", from] of source.matchAll(
    /^export \{([^}]*)\}(?: from ["']([^"']+)["'])?/gm,
  ))
    for (const [name, other] of specifiersIn(names)) {
      const origin =
        from === undefined ? imported.get(name) : { file: fileOf(from), name };
      if (origin !== undefined) exported.set(other, origin);
    }
  return exported;
}

/** `a as b` is `["a", "b"]`, and `a` is `["a", "a"]`. */
function specifiersIn(names: string): (readonly [string, string])[] {
  return names
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => {
      const [name = "", other = name] = one.split(" as ");
      return [name, other] as const;
    });
}
