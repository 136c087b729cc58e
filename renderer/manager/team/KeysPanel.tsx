// The API keys of the content service: created with a role and shown once, listed with their last use, revoked by name.

import { useMemo, useState, type ReactNode } from "react";
import type {
  ApiKeyV3,
  CreatedApiKeyV3,
} from "../../../server/contract/v3/v3-access.ts";
import { t } from "../../locales/messages.ts";
import { roleName } from "../components/access/role-name.ts";
import { Panel } from "../components/layout/Panel.tsx";
import {
  SecretList,
  sharedSecretWords,
  type SecretWords,
} from "../components/secrets/SecretList.tsx";
import {
  useServiceAnswer,
  useServiceRefetch,
} from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";
import {
  AccessFields,
  bodyOfAccess,
  type AccessDraft,
} from "./AccessFields.tsx";
import { keysPath } from "./paths.ts";

const keyWords: SecretWords = {
  ...sharedSecretWords,
  list: t("team.keys.title"),
  listFailed: t("team.keys.loadFailed"),
  empty: t("team.keys.empty"),
  name: t("team.keys.name"),
  nameHint: t("team.keys.namePlaceholder"),
  make: t("team.keys.create"),
  makeFailed: t("team.keys.createFailed"),
  madeTitle: (name) => t("team.keys.createdTitle", { name }),
  revokeWhat: t("team.keys.revokeConsequence"),
};

const newAccess: AccessDraft = { role: "viewer", labels: [] };

export function KeysPanel(): ReactNode {
  const keys = useServiceAnswer<readonly ApiKeyV3[]>(keysPath);
  const [access, setAccess] = useState(newAccess);
  const refetch = useServiceRefetch();
  const data = useMemo(
    () =>
      keys.data?.map(
        ({ id, name, role, labels, created_at, last_used_at }) => ({
          ...{ id, name, access: roleName(role, labels) },
          madeAtMs: Date.parse(created_at),
          lastUsedAtMs: last_used_at === null ? null : Date.parse(last_used_at),
        }),
      ),
    [keys.data],
  );
  return (
    <Panel title={t("team.keys.title")} about={t("team.keys.about")}>
      <SecretList
        words={keyWords}
        opens="service"
        listed={{ ...keys, data }}
        fields={<AccessFields access={access} onChange={setAccess} />}
        onMake={async (name) => {
          const { secret } = await requestService<CreatedApiKeyV3>(
            ...(["POST", keysPath] as const),
            { name, ...bodyOfAccess(access) },
          );
          setAccess(newAccess);
          await refetch(keysPath);
          return secret;
        }}
        onRevoke={async (id) => {
          const path = `${keysPath}${encodeURIComponent(id)}/`;
          await requestService("DELETE", path);
          await refetch(keysPath);
        }}
      />
    </Panel>
  );
}
