// History of a connection: its last applied states, and restoring the previous one.

import { Button } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { AppliedPlanV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { noteChange } from "../../operations.ts";
import { notifyFailure } from "../../parts/outcomes/outcome.ts";
import { formats } from "../../../locales/language.ts";
import { texts } from "../../texts/texts.ts";
import { notifyUndoable } from "../../undo.ts";
import { goBack } from "./apply-plan.ts";
import { useRefetchSync } from "../state/use-sync.ts";

const words = texts.cloud;

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
      notifyUndoable(words.wentBack(name), () =>
        takeBack().finally(() => void refetch()),
      );
    } catch (error) {
      notifyFailure(words.goBackFailed, error);
    } finally {
      await refetch();
    }
  };
  return (
    <details className="kept-plans">
      <summary>{words.history}</summary>
      <p className="quiet">{words.historyAbout}</p>
      <ul>
        {kept.map((plan, index) => {
          const moment = formats.moment(Date.parse(plan.applied));
          return (
            <li key={plan.plan_id}>
              <span>{words.appliedAt(moment)}</span>
              <span className="quiet">
                {words.holds(plan.assets, plan.playlists)}
              </span>
              {plan.is_current ? (
                <strong>{words.current}</strong>
              ) : index === current + 1 ? (
                <Button
                  variant="default"
                  leftSection={<IconHistory size={18} aria-hidden />}
                  aria-label={words.goBackTo(moment)}
                  onClick={() => void putBack()}
                >
                  {words.goBack}
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
