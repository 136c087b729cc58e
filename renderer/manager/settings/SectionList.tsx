// The sections of the settings: a list at the side, a row in a narrow window, and one field on a phone.

import { Flex, NativeSelect, UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { addressOf } from "../place/navigation.ts";
import type { SectionId } from "./setting-sections.ts";

interface Props {
  readonly sections: readonly SectionId[];
  readonly open: SectionId;
  /** Sections with something that the search found; null while nothing is searched. */
  readonly matches: readonly SectionId[] | null;
  readonly onOpen: (id: SectionId) => void;
}

export function SectionList(props: Props): ReactNode {
  const { sections, open, matches, onOpen } = props;
  return (
    <>
      <NativeSelect
        hiddenFrom="xs"
        flex="none"
        px={16}
        pb={8}
        aria-label={t("settings.sectionsLabel")}
        value={matches === null ? open : ""}
        data={[
          // Choosing any section ends the search.
          ...(matches === null
            ? []
            : [{ value: "", label: t("settings.searchResults") }]),
          ...sections.map((id) => ({
            value: id,
            label: t(`settings.sections.${id}`),
          })),
        ]}
        onChange={({ currentTarget }) => {
          const id = sections.find((one) => one === currentTarget.value);
          if (id !== undefined) onOpen(id);
        }}
      />
      <Flex
        component="nav"
        visibleFrom="xs"
        direction={{ base: "row", md: "column" }}
        wrap={{ base: "wrap", md: "nowrap" }}
        gap={2}
        w={{ base: "auto", md: 208 }}
        flex="none"
        pt={{ base: 0, md: 8 }}
        pb={{ base: 8, md: 24 }}
        ps={16}
        pe={{ base: 16, md: 8 }}
        bd={{ base: "1px solid var(--line)", md: 0 }}
        style={{ borderWidth: "0 0 1px", overflowY: "auto" }}
        aria-label={t("settings.sectionsLabel")}
      >
        {sections.map((id) => (
          <UnstyledButton
            key={id}
            component="a"
            variant="row"
            flex="none"
            mih={36}
            py={8}
            px={12}
            lh="20px"
            href={addressOf("settings", id)}
            aria-current={matches === null && id === open ? "true" : undefined}
            {...(matches !== null && !matches.includes(id) && { c: "dimmed" })}
            {...(matches === null && id === open && { fw: 600 })}
            onClick={(event) => {
              event.preventDefault();
              onOpen(id);
            }}
          >
            {t(`settings.sections.${id}`)}
          </UnstyledButton>
        ))}
      </Flex>
    </>
  );
}
