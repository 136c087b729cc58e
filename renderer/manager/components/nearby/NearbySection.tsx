// What was found in the network: a short list under a form, with a sentence when there is nothing to list.

import { Box, Flex, Loader, Text } from "@mantine/core";
import { useId, type ReactNode } from "react";
import type { NearbyListView } from "../../../../server/contract/ipc/ipc-nearby.ts";
import { problemText } from "../../api/problem-text.ts";
import { t } from "../../../locales/messages.ts";

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
    <Flex
      component="section"
      className="line-above"
      direction="column"
      gap={4}
      py={8}
      ta="start"
      aria-labelledby={heading}
    >
      <Flex id={heading} component="p" align="center" gap={8} fw={600}>
        {title}
        {problem === null ? <Loader size={14} type="dots" aria-hidden /> : null}
      </Flex>
      {items.length > 0 ? (
        // The dialog around it ends within a small window, too.
        <Box
          component="ul"
          className="scrolls"
          mah="clamp(120px, 100dvh - 460px, 216px)"
        >
          {items.map((item, index) => (
            <Flex
              component="li"
              className={index === 0 ? "" : "line-above"}
              key={item.id}
              align="center"
              gap={8}
              py={6}
            >
              {children(item)}
            </Flex>
          ))}
        </Box>
      ) : (
        <p className="quiet">{problem === null ? nothing : t("nearby.off")}</p>
      )}
      {problem === null ? null : (
        <p className="quiet" dir="auto">
          {problemText(problem)}
        </p>
      )}
    </Flex>
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
      <Text component="bdi" truncate fw={550}>
        {name ?? address}
      </Text>
      <span className="quiet one-line" dir="ltr">
        {[name === null ? null : address, version].filter(Boolean).join(" · ")}
      </span>
    </>
  );
}
