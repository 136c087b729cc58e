// Note on pages about schedules that a takeover currently covers the screen.

import { Flex } from "@mantine/core";
import { IconUrgent } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTakeover } from "./use-takeover.ts";
import "./takeover.css";
import { t } from "../../locales/messages.ts";
import { formats } from "../../locales/language.ts";

export function TakeoverNote(): ReactNode {
  const takeover = useTakeover();
  if (!takeover) return null;
  return (
    <Flex
      align="center"
      gap={8}
      component="p"
      flex="1 0 100%"
      py={8}
      px={12}
      bd="1px solid var(--fault)"
      bdrs={8}
      fw={600}
      role="status"
    >
      <IconUrgent color="var(--fault)" size={18} stroke={1.75} aria-hidden />
      <span>
        {t("takeover.covers", {
          time: formats.clock(Date.parse(takeover.started)),
        })}
      </span>
    </Flex>
  );
}
