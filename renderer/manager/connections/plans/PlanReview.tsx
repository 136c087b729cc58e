// Review of the changes from a content service before they are applied: counted, listed, and applied, postponed or left pending.

import { Button } from "@mantine/core";
import {
  IconCheck,
  IconMinus,
  IconPencil,
  IconPlus,
} from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { SyncPlanV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { operate, Refusal } from "../../operations.ts";
import { NamedQuestion } from "../../parts/controls/Confirmation.tsx";
import { notifySuccess, notifyFailure } from "../../parts/outcomes/outcome.ts";
import { formats } from "../../../locales/language.ts";
import { texts } from "../../texts/texts.ts";
import { notifyUndoable } from "../../undo.ts";
import { approve } from "./apply-plan.ts";
import { useRefetchSync } from "../state/use-sync.ts";

const words = texts.cloud;

interface Props {
  readonly plan: SyncPlanV2;
  readonly name: string;
}

const signs = { add: IconPlus, change: IconPencil, remove: IconMinus } as const;
const firstShown = 50;
const moreShown = 200;

export function PlanReview({ plan, name }: Props): ReactNode {
  const { account_id: id, adds, changes, removes, bytes, hold } = plan;
  const [shown, setShown] = useState(firstShown);
  const [isConfirming, setIsConfirming] = useState(false);
  const [isUnderWay, setIsUnderWay] = useState(false);
  const refetch = useRefetchSync();
  const left = plan.entries.length - shown;
  const applied = removes > 0 ? words.applyRemoving(removes) : words.apply;

  const apply = async (): Promise<void> => {
    setIsUnderWay(true);
    try {
      const { isApplied, takeBack } = await approve(plan);
      const message = isApplied ? words.applied(name) : words.approved(name);
      if (takeBack === null) notifySuccess(message);
      else
        notifyUndoable(message, () => takeBack().finally(() => void refetch()));
    } catch (error) {
      const isOther = error instanceof Refusal && error.code === "conflict";
      notifyFailure(words.applyFailed, isOther ? words.anotherPlan : error);
    } finally {
      setIsUnderWay(false);
      setIsConfirming(false);
      await refetch();
    }
  };
  const putOff = async (): Promise<void> => {
    try {
      await operate("holdSync", { body: { account_id: id } });
      notifySuccess(words.putOffDone(name));
    } catch (error) {
      notifyFailure(words.putOffFailed, error);
    } finally {
      await refetch();
    }
  };

  return (
    <section className="plan" aria-label={words.review}>
      <div className="plan-head">
        <div className="plan-words">
          <h3>{words.review}</h3>
          <p>
            {words.reviewCounts(adds, changes, removes)}
            <span className="quiet">
              {" · "}
              {bytes === 0 ? words.staged : words.toFetch(formats.size(bytes))}
            </span>
          </p>
          {hold === null ? null : (
            <p className="plan-hold" data-tone="waiting">
              {words.holdReasons[hold]}
            </p>
          )}
        </div>
        {isConfirming ? null : (
          <div className="plan-actions">
            {hold === "postponed" ? null : (
              <Button variant="default" onClick={() => void putOff()}>
                {words.putOff}
              </Button>
            )}
            <Button
              leftSection={<IconCheck size={18} aria-hidden />}
              aria-label={words.applyOf(applied, name)}
              loading={isUnderWay}
              onClick={() => {
                if (removes > 0) setIsConfirming(true);
                else void apply();
              }}
            >
              {applied}
            </Button>
          </div>
        )}
      </div>
      {isConfirming ? (
        <NamedQuestion
          question={words.applyQuestion(name, removes)}
          consequence={words.applyConsequence}
          no={words.keepAll}
          yes={words.applyRemoving(removes)}
          onNo={() => {
            setIsConfirming(false);
          }}
          onYes={apply}
        />
      ) : null}
      <ul className="plan-entries">
        {plan.entries.slice(0, shown).map((entry) => {
          const Sign = signs[entry.action];
          return (
            <li
              key={`${entry.kind} ${entry.remote_id}`}
              data-deed={entry.action}
            >
              <Sign size={16} aria-hidden />
              <span className="plan-deed">{words.actions[entry.action]}</span>
              <span className="plan-name">
                <bdi>{entry.name}</bdi>
              </span>
              <span className="quiet">{words.what[entry.kind]}</span>
              <span className="quiet plan-size">
                {entry.bytes === null ? "" : formats.size(entry.bytes)}
              </span>
            </li>
          );
        })}
      </ul>
      {left > 0 ? (
        <Button
          variant="subtle"
          onClick={() => {
            setShown(shown + moreShown);
          }}
        >
          {words.showMore(Math.min(left, moreShown))}
        </Button>
      ) : null}
    </section>
  );
}
