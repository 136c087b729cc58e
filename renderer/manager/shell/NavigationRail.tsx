// The navigation rail: every page with icon and name; in a narrow window only the icon.

import { Box, Flex, Group, Tooltip, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import type { ManagerPage } from "../pages/pages.ts";
import { addressOf, type PageId } from "../place/navigation.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";

/** As in shell.css and manager.css. */
const narrow = "(width < 1100px)";

export function NavigationRail({
  page,
  pages,
}: {
  readonly page: PageId;
  readonly pages: readonly ManagerPage[];
}): ReactNode {
  const isNarrow = useMediaQuery(narrow, false, {
    getInitialValueInEffect: false,
  });
  return (
    <Flex
      component="nav"
      className="rail scrolls line-after"
      direction="column"
      gap={8}
      w={{ base: 61, md: 208, xl: 240 }}
      p={8}
      bg="var(--rail)"
      aria-label={t("manager.navigation")}
    >
      <Group
        wrap="nowrap"
        gap={12}
        flex="none"
        h={40}
        fz={15}
        fw={650}
        lts="-0.01em"
        px={isNarrow ? 0 : 10}
        justify={isNarrow ? "center" : "flex-start"}
      >
        <Mark />
        <span className="aloud-if-narrow">{t("manager.product")}</span>
      </Group>
      <Flex direction="column" gap={2} component="ul">
        {pages.map(({ id, icon: Sign, shortcut }) => {
          const name = t(`manager.pages.${id}`);
          const keys = shortcut === null ? null : formats.keys(shortcut);
          return (
            <li key={id}>
              <Tooltip
                label={keys === null ? name : `${name} (${keys})`}
                // Mirrored by the library in right-to-left layouts.
                position="right"
                disabled={!isNarrow}
              >
                <UnstyledButton
                  component="a"
                  variant="row"
                  className="rail-link"
                  px={isNarrow ? 0 : 12}
                  href={addressOf(id)}
                  aria-current={id === page ? "page" : undefined}
                  aria-keyshortcuts={shortcut?.replace("mod", "Control")}
                >
                  <Sign size={20} stroke={1.75} aria-hidden />
                  <span className="aloud-if-narrow">{name}</span>
                </UnstyledButton>
              </Tooltip>
            </li>
          );
        })}
      </Flex>
    </Flex>
  );
}

// The product's logo: a shop window with something in it.

function Mark(): ReactNode {
  return (
    <Box
      component="svg"
      flex="none"
      viewBox="0 0 24 24"
      width={24}
      height={24}
      aria-hidden
    >
      <rect x="2" y="4" width="20" height="16" rx="3" fill="var(--accent)" />
      <path d="M5.5 7.5h13v9h-13z" fill="var(--rail)" />
      <path d="M8 16.5 12 9l4 7.5z" fill="var(--accent)" />
    </Box>
  );
}
