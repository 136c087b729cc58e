// The choice of a content service, where there are several.

import { Select, type SelectProps } from "@mantine/core";
import type { ReactNode } from "react";
import type { ScreenServiceView } from "../../../server/contract/ipc/ipc-screens.ts";
import { t } from "../../locales/messages.ts";
import { serviceName } from "./use-screens.ts";

interface Props extends Pick<SelectProps, "flex"> {
  readonly services: readonly Pick<ScreenServiceView, "id" | "name">[];
  /** Null while there is none. */
  readonly serviceId: string | null;
  readonly onChosen: (serviceId: string | null) => void;
}

export function ServiceChoice(props: Props): ReactNode {
  const { services, serviceId, onChosen, ...layout } = props;
  if (services.length < 2) return null;
  return (
    <Select
      {...layout}
      label={t("screens.facts.service")}
      allowDeselect={false}
      data={services.map((service) => ({
        value: service.id,
        label: serviceName(service),
      }))}
      value={serviceId}
      onChange={onChosen}
    />
  );
}
