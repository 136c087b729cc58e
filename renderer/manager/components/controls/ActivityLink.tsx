// Link from something of a content service to what happened to it, for those who may read the activity log (V3-184).

import { Button } from "@mantine/core";
import { IconActivity } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { can } from "../../place/abilities.ts";
import { addressOf } from "../../place/navigation.ts";
import { useMayRequest } from "../../place/permissions.ts";

export function useMayReadActivity(): boolean {
  const mayRead = useMayRequest()("GET", "/activity");
  return can("people") && mayRead;
}

export function ActivityLink({ id }: { readonly id: string }): ReactNode {
  if (!useMayReadActivity()) return null;
  return (
    <Button
      component="a"
      variant="default"
      leftSection={<IconActivity size={18} aria-hidden />}
      href={addressOf("activity", id)}
    >
      {t("activity.title")}
    </Button>
  );
}
