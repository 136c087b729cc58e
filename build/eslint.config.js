// Lint rules that need no types, such as which code may use the time, randomness and the environment. Those that need types are
// in .oxlintrc.json.

import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import regexp from "eslint-plugin-regexp";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

const noDefaultExport = {
  selector: "ExportDefaultDeclaration",
  message: "Export it by its name; only a tool's config file has a default.",
};
const noEnvironment = {
  selector: [
    "MemberExpression[object.name='process'][property.name='env']",
    "VariableDeclarator[init.name='process'] Property[key.name='env']",
    "ImportDeclaration[source.value=/^(node:)?process$/] ImportSpecifier[imported.name='env']",
  ].join(),
  message:
    "Only electron/config.ts, server/content/config.ts and server/cli/config.ts read the environment. Take the value as a parameter.",
};
const noIpcMain = {
  selector: [
    "ImportDeclaration[source.value=/^electron/] ImportSpecifier[imported.name='ipcMain']",
    "MemberExpression[property.name='ipcMain']",
  ].join(),
  message:
    "Only electron/ipc.ts touches ipcMain. Add the question to server/contract/ipc/ipc.ts and answer it in electron/manager/manager-calls.ts.",
};
const noClock = {
  selector: [
    "MemberExpression[object.name='Date'][property.name='now']",
    "NewExpression[callee.name='Date'][arguments.length=0]",
    "CallExpression[callee.name='Date']",
  ].join(),
  message: "Core has no clock. Take the moment as a parameter.",
};
const noChance = {
  selector: "MemberExpression[object.name='Math'][property.name='random']",
  message: "Core throws no dice. Take chance as a parameter.",
};

// All of them share one rule, and a later entry replaces an earlier one, so each folder lists all its restrictions.
const refuse = (...selectors) => ({
  "no-restricted-syntax": ["error", ...selectors],
});

/** `no-floating-promises` sees a `void` only as a statement; this rule has no types, so it refuses any other. */
const noVoidPromise = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      void: "`void` may hide a promise. Leave it out, or end the promise with .catch, which states what happens when it fails.",
    },
  },
  create: (context) => {
    const handlerOf = ({ callee, arguments: given }) =>
      ({ catch: given?.[0], then: given?.[1] })[callee?.property?.name];
    return {
      ":not(ExpressionStatement) > UnaryExpression[operator='void']": (
        node,
      ) => {
        // Anything but a function in place may be undefined.
        if (!/Function/.test(handlerOf(node.argument)?.type))
          context.report({ node, messageId: "void" });
      },
    };
  },
};

/** `no-duplicate-type-constituents` compares types: two object types are different ones even where they are written alike. */
const noRepeatedType = {
  meta: {
    type: "problem",
    schema: [],
    messages: { repeated: "This type is there already." },
  },
  create: (context) => {
    const textOf = (node) =>
      context.sourceCode
        .getTokens(node)
        .map(({ value }) => value)
        .join(" ");
    return {
      "TSUnionType, TSIntersectionType": ({ types }) => {
        const texts = types.map(textOf);
        types.forEach((node, at) => {
          if (texts.indexOf(texts[at]) < at)
            context.report({ node, messageId: "repeated" });
        });
      },
    };
  },
};

export default defineConfig(
  { ignores: ["dist/", "release/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.{ts,tsx,mjs,cjs,js}"],
    extends: [js.configs.recommended],
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      ...refuse(noDefaultExport, noEnvironment, noIpcMain),
    },
  },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [ts.configs.recommended],
    plugins: { types: { rules: { "no-repeated-type": noRepeatedType } } },
    rules: {
      "types/no-repeated-type": "error",
      "@typescript-eslint/consistent-type-imports": [
        "error",
        { fixStyle: "inline-type-imports" },
      ],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { ignoreRestSiblings: true, argsIgnorePattern: "^_" },
      ],
    },
  },
  {
    // External input must not be able to block a thread by its length alone.
    files: ["server/**", "electron/**", "renderer/**"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
    },
  },
  {
    files: ["**/*.{mjs,cjs,js}"],
    languageOptions: {
      // Plain JavaScript runs in Node: the globals are those of the Node that runs the linter.
      globals: Object.fromEntries(
        Object.getOwnPropertyNames(globalThis).map((name) => [name, false]),
      ),
    },
  },
  {
    files: ["**/*.cjs"],
    languageOptions: {
      sourceType: "commonjs",
      globals: { __dirname: false, __filename: false },
    },
  },
  {
    files: [
      ...["server/**/*.ts", "electron/**/*.ts", "build/**/*.ts"],
      "renderer/**/*.{ts,tsx}",
    ],
    plugins: { promises: { rules: { "no-void-promise": noVoidPromise } } },
    rules: { "promises/no-void-promise": "error" },
  },
  {
    files: ["server/core/**"],
    rules: refuse(noDefaultExport, noEnvironment, noClock, noChance),
  },
  {
    files: [
      "electron/config.ts",
      "server/content/config.ts",
      "server/cli/config.ts",
      "server/player/sync/command-line/token.ts",
      // Only there does Windows tell where it is installed.
      "server/platform/system-program.ts",
    ],
    rules: refuse(noDefaultExport, noIpcMain),
  },
  {
    files: ["electron/ipc.ts"],
    rules: refuse(noDefaultExport, noEnvironment),
  },
  {
    files: ["build/**", "test/**"],
    rules: refuse(noDefaultExport, noIpcMain),
  },
  {
    // The response of an interface is JSON of any shape: checked by the expectations, not by the types.
    files: ["test/**"],
    rules: {
      "@typescript-eslint/no-explicit-any": "off",
    },
  },
  {
    files: ["build/*.config.{js,ts}", "build/check/knip-reporter.ts"],
    rules: refuse(noIpcMain),
  },
  {
    files: ["renderer/manager/**"],
    extends: [hooks.configs.flat.recommended],
    // A warning for code that relies on the React compiler for memoization, which is not used here.
    rules: { "react-hooks/incompatible-library": "off" },
  },
);
