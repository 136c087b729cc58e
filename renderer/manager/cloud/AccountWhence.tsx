// Whom an account asks, in the line beneath its name.

import type { ReactNode } from "react";
import { useAnswer } from "../operations.ts";
import { texts } from "../texts/texts.ts";
import type { AccountView } from "./use-sync.ts";

const words = texts.cloud;

export function AccountWhence({ account, status }: AccountView): ReactNode {
  if (account.kind === "plan")
    return <p className="quiet">{words.fromStickAbout}</p>;
  return (
    <p className="quiet">
      <span dir="ltr">{account.base_url}</span>
      {" · "}
      {status?.version == null
        ? words.versionUnknown
        : words.version(words.versions[status.version])}
      {account.kind === "screen" ? (
        <>
          {" · "}
          <PairedAs accountId={account.account_id} />
        </>
      ) : null}
    </p>
  );
}

function PairedAs({ accountId }: { readonly accountId: string }): ReactNode {
  const link = useAnswer("listSyncLinks", {}).data?.find(
    ({ account_id }) => account_id === accountId,
  );
  return link?.screen_name == null
    ? words.paired
    : words.pairedAs(link.screen_name);
}
