// Lint rules of our own, such as which code may use the time, randomness and the environment. .oxlintrc.json has all others, and
// says where each holds.

import { builtinRules } from "eslint/use-at-your-own-risk";

/** Refuses what one of the selectors matches. */
const refuse = (message, ...selectors) => ({
  meta: { type: "problem", schema: [] },
  create: (context) =>
    Object.fromEntries(
      selectors.map((selector) => [
        selector,
        (node) => context.report({ node, message }),
      ]),
    ),
});

const noDefaultExport = refuse(
  "Export it by its name; only a tool's config file has a default.",
  "ExportDefaultDeclaration",
);
const noEnvironment = refuse(
  "Only electron/config.ts, server/content/config.ts and server/cli/config.ts read the environment. Take the value as a parameter.",
  "MemberExpression[object.name='process'][property.name='env']",
  "VariableDeclarator[init.name='process'] Property[key.name='env']",
  "ImportDeclaration[source.value=/^(node:)?process$/] ImportSpecifier[imported.name='env']",
);
const noIpcMain = refuse(
  "Only electron/ipc.ts touches ipcMain. Add the question to server/contract/ipc/ipc.ts and answer it in electron/manager/manager-calls.ts.",
  "ImportDeclaration[source.value=/^electron/] ImportSpecifier[imported.name='ipcMain']",
  "MemberExpression[property.name='ipcMain']",
);
const noClock = refuse(
  "Core has no clock. Take the moment as a parameter.",
  "MemberExpression[object.name='Date'][property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
  "CallExpression[callee.name='Date']",
);
const noChance = refuse(
  "Core throws no dice. Take chance as a parameter.",
  "MemberExpression[object.name='Math'][property.name='random']",
);

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

export default {
  meta: { name: "vitrine" },
  rules: {
    "no-default-export": noDefaultExport,
    "no-environment": noEnvironment,
    "no-ipc-main": noIpcMain,
    "no-clock": noClock,
    "no-chance": noChance,
    "no-void-promise": noVoidPromise,
    "no-repeated-type": noRepeatedType,
    // The native one takes a value that the next round of a loop reads for unused.
    "no-useless-assignment": builtinRules.get("no-useless-assignment"),
  },
};
