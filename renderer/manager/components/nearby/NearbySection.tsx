// What was found in the network: a short list under a form, with a sentence when there is nothing to list.

import { Loader, Text } from "@mantine/core";
import { useId, type ReactNode } from "react";
import type { NearbyListView } from "../../../../server/contract/ipc/ipc-nearby.ts";
import { problemText } from "../../api/problem-text.ts";
import { t } from "../../../locales/messages.ts";
import "./nearby.css";

interface Props<T> {
  readonly title: string;
  /** Undefined until the first answer. */
  readonly list: NearbyListView<T> | undefined;
  /** Where nothing was found: how something is. */
  readonly nothing: string;
  readonly children: (item: T) => ReactNode;
}

export function NearbySection<T extends { readonly id: string }>(
  props: Props<T>,
): ReactNode {
  const { title, list, nothing, children } = props;
  const heading = useId();
  if (list === undefined || list.isOff) return null;
  const { items, problem } = list;
  return (
    <section className="nearby" aria-labelledby={heading}>
      <Text id={heading} component="p" fw={600} className="nearby-title">
        {title}
        {problem === null ? <Loader size={14} type="dots" aria-hidden /> : null}
      </Text>
      {items.length > 0 ? (
        <ul className="nearby-list">
          {items.map((item) => (
            <li key={item.id}>{children(item)}</li>
          ))}
        </ul>
      ) : (
        <p className="quiet">{problem === null ? nothing : t("nearby.off")}</p>
      )}
      {problem === null ? null : (
        <p className="quiet" dir="auto">
          {problemText(problem)}
        </p>
      )}
    </section>
  );
}

/** Names and addresses are a stranger's: each in its own direction, cut off where they are long. */
export function NearbyName({
  name,
  address,
  version,
}: {
  readonly name: string | null;
  readonly address: string;
  readonly version: string | null;
}): ReactNode {
  return (
    <>
      <bdi className="nearby-name">{name ?? address}</bdi>
      <span className="quiet nearby-address" dir="ltr">
        {[name === null ? null : address, version].filter(Boolean).join(" · ")}
      </span>
    </>
  );
}
