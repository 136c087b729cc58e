// Access tokens: created and shown once, listed with their last use, revoked by name.

import { useMemo, type ReactNode } from "react";
import { useAnswer, useOperation } from "../operations.ts";
import { Panel } from "../parts/layout/Panel.tsx";
import { SecretList, type SecretWords } from "../parts/secrets/SecretList.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.settings.tokens;

const tokenWords: SecretWords = {
  ...{ ...words, makeFailed: words.refused, made: words.created },
};

export function TokensPanel(): ReactNode {
  const tokens = useAnswer("listTokens", {});
  const make = useOperation("createToken", ["listTokens"]);
  const revoke = useOperation("revokeToken", ["listTokens"]);
  const data = useMemo(
    () =>
      tokens.data?.map(({ id, name, created, last_used }) => ({
        ...{ id, name, madeAtMs: Date.parse(created) },
        lastUsedAtMs: last_used === null ? null : Date.parse(last_used),
      })),
    [tokens.data],
  );
  return (
    <Panel title={words.title} about={words.about}>
      <SecretList
        words={tokenWords}
        opens="player"
        listed={{ ...tokens, data }}
        onMake={async (name) =>
          (await make.mutateAsync({ body: { name } })).token
        }
        onRevoke={(id) => revoke.mutateAsync({ parameters: { id } })}
      />
    </Panel>
  );
}
