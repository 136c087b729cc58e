// History of a connection: its last applied states, and restoring the previous one.

import { Box, Button, Flex } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { AppliedPlanV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { noteChange } from "../../api/operations.ts";
import {
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { notifyUndoable } from "../../undo/undo.ts";
import { goBack } from "./apply-plan.ts";
import { useRefetchSync } from "../state/use-sync.ts";

interface Props {
  readonly connectionId: string;
  readonly name: string;
  readonly kept: readonly AppliedPlanV2[];
}

export function AppliedPlans({ connectionId, name, kept }: Props): ReactNode {
  const refetch = useRefetchSync();
  const current = kept.findIndex(({ is_current }) => is_current);
  const putBack = async (): Promise<void> => {
    try {
      const takeBack = await noteChange(goBack(connectionId));
      notifyUndoable(t("connections.history.restored", { name }), () =>
        takeBack().finally(() => {
          refetch().catch(notifyInternalError);
        }),
      );
    } catch (error) {
      notifyFailure(t("connections.history.restoreFailed"), error);
    } finally {
      await refetch();
    }
  };
  return (
    <details className="kept-plans line-above">
      <summary>{t("connections.history.title")}</summary>
      <p className="quiet">{t("connections.history.description")}</p>
      <Box component="ul" className="scrolls" mah={420} mt={8}>
        {kept.map((plan, index) => {
          const moment = formats.moment(Date.parse(plan.applied));
          return (
            <Flex
              key={plan.plan_id}
              component="li"
              className="line-above"
              wrap="wrap"
              align="center"
              justify="space-between"
              gap="4px 16px"
              mih={44}
              py={4}
            >
              <span>
                {t("connections.history.appliedAt", { time: moment })}
              </span>
              <span className="quiet">
                {t("connections.content", {
                  assets: plan.assets,
                  playlists: plan.playlists,
                })}
              </span>
              {plan.is_current ? (
                <strong>{t("connections.history.current")}</strong>
              ) : index === current + 1 ? (
                <Button
                  variant="default"
                  leftSection={<IconHistory size={18} aria-hidden />}
                  aria-label={t("connections.history.restoreNamed", {
                    time: moment,
                  })}
                  onClick={() => {
                    putBack().catch(notifyInternalError);
                  }}
                >
                  {t("connections.history.restore")}
                </Button>
              ) : null}
            </Flex>
          );
        })}
      </Box>
    </details>
  );
}
