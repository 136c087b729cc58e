// Keys of the hosted service: made and shown once, listed with their last use, revoked by name.

import { useMemo, type ReactNode } from "react";
import { SecretList, type SecretWords } from "../parts/SecretList.tsx";
import { useAskAgain, useQuestion } from "../questions.ts";
import { texts } from "../texts/texts.ts";

const words = texts.cloud.hosting;

const keyWords: SecretWords = {
  ...{ ...words, list: words.keys, listFailed: words.keysFailed },
  ...{ empty: words.keysEmpty, name: words.keyName, nameHint: words.keyHint },
  ...{ make: words.makeKey, makeFailed: words.makeKeyFailed },
  ...{ revoke: words.revokeKey, revokeFailed: () => words.revokeFailed },
};

export function HostKeys(): ReactNode {
  const keys = useQuestion("listHostKeys", {});
  const askAgain = useAskAgain();
  const data = useMemo(
    () =>
      keys.data?.map(({ createdAtMs: madeAtMs, ...key }) => ({
        ...key,
        madeAtMs,
      })),
    [keys.data],
  );
  return (
    <section className="hosting-part hosting-keys" aria-label={words.keys}>
      <h4>{words.keys}</h4>
      <p className="quiet">{words.keysAbout}</p>
      <SecretList
        words={keyWords}
        opens="host"
        listed={{ ...keys, data }}
        onMake={async (name) => {
          const { key } = await window.manager.makeHostKey({ name });
          await askAgain("listHostKeys");
          return key;
        }}
        onRevoke={async (id) => {
          await window.manager.revokeHostKey({ id });
          await askAgain("listHostKeys");
        }}
      />
    </section>
  );
}
