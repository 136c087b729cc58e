// What is due at a moment, in order, each with its playlist; of a long list only the first.

import { Flex } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";

interface Due {
  readonly id: string;
  readonly name: string;
  /** Its name; null where it is in none. */
  readonly playlist: string | null;
}

const maxListed = 12;

export function DueNames({ due }: { readonly due: readonly Due[] }): ReactNode {
  return (
    <Flex component="ol" direction="column" gap={4}>
      {due.slice(0, maxListed).map(({ id, name, playlist }) => (
        <li key={id}>
          <bdi>{name}</bdi>
          {playlist === null ? null : (
            <span className="quiet">
              {" "}
              <bdi>{playlist}</bdi>
            </span>
          )}
        </li>
      ))}
      {due.length > maxListed ? (
        <li className="quiet">
          {t("screens.moreResults", { count: due.length - maxListed })}
        </li>
      ) : null}
    </Flex>
  );
}
