// Content services in the network of this PC, to choose one instead of typing its address (V2-769).

import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { NearbyServiceView } from "../../../../server/contract/ipc/ipc-nearby.ts";
import { t } from "../../../locales/messages.ts";
import {
  NearbyName,
  NearbySection,
} from "../../components/nearby/NearbySection.tsx";
import {
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { useQuestion } from "../../api/manager-queries.ts";

/** The search continues as long as it is requested. */
const pollMs = 2_000;

export function NearbyServices({
  onPick,
}: {
  readonly onPick: (address: string) => void;
}): ReactNode {
  const { data } = useQuestion(
    "listNearbyServices",
    {},
    { intervalMs: pollMs },
  );
  const [picking, setPicking] = useState<string | null>(null);
  const pick = async ({ id }: NearbyServiceView): Promise<void> => {
    setPicking(id);
    try {
      onPick((await window.manager.pickNearbyService({ id })).address);
    } catch (error) {
      notifyFailure(t("connections.nearby.failed"), error);
    } finally {
      setPicking(null);
    }
  };
  return (
    <NearbySection
      title={t("connections.nearby.title")}
      list={data}
      nothing={t("connections.nearby.nothing")}
    >
      {(service) => (
        <>
          <div className="lines">
            <NearbyName {...service} />
          </div>
          <Button
            variant="default"
            loading={picking === service.id}
            aria-label={t("connections.nearby.useNamed", {
              name: service.name ?? service.address,
            })}
            onClick={() => {
              pick(service).catch(notifyInternalError);
            }}
          >
            {t("connections.nearby.use")}
          </Button>
        </>
      )}
    </NearbySection>
  );
}
