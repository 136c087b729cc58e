// Access tokens: created and shown once, listed with their last use, revoked by name.

import { useMemo, type ReactNode } from "react";
import { useAnswer, useOperation } from "../api/operations.ts";
import { Panel } from "../components/layout/Panel.tsx";
import {
  SecretList,
  sharedSecretWords,
  type SecretWords,
} from "../components/secrets/SecretList.tsx";
import { t } from "../../locales/messages.ts";

const tokenWords: SecretWords = {
  ...sharedSecretWords,
  list: t("settings.tokens.title"),
  listFailed: t("settings.tokens.loadFailed"),
  empty: t("settings.tokens.empty"),
  name: t("settings.tokens.name"),
  nameHint: t("settings.tokens.namePlaceholder"),
  make: t("settings.tokens.create"),
  makeFailed: t("settings.tokens.createFailed"),
  madeTitle: (name) => t("settings.tokens.createdTitle", { name }),
  revokeWhat: t("settings.tokens.revokeConsequence"),
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
    <Panel
      title={t("settings.tokens.title")}
      about={t("settings.tokens.description")}
    >
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
