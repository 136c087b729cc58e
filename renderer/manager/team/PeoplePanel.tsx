// The people of the team: invited, changed, disabled, deleted, and given a link for a new password.

import { Button } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type {
  InvitedV3,
  PersonV3,
} from "../../../server/contract/v3/v3-people.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { roleName } from "../components/access/role-name.ts";
import { NamedQuestion } from "../components/controls/Confirmation.tsx";
import { EditableList } from "../components/editable-list/EditableList.tsx";
import { EditableRow } from "../components/editable-list/EditableRow.tsx";
import { Panel } from "../components/layout/Panel.tsx";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import {
  notifyFailure,
  notifyInternalError,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
import { useFreshSecret } from "../components/secrets/fresh-secrets.ts";
import { SecretOnce } from "../components/secrets/SecretList.tsx";
import { usePerson } from "../service-requests/person.ts";
import {
  useServiceAnswer,
  useServiceRefetch,
} from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";
import { InviteForm } from "./InviteForm.tsx";
import { invitationsPath, pathOfPerson, peoplePath } from "./paths.ts";
import { handOverLink, useCanSendLinks } from "./send-link.ts";
import { PersonForm } from "./PersonForm.tsx";

/** In the list of secrets that are shown once. */
const opens = "team.link";

export function PeoplePanel(): ReactNode {
  const people = useServiceAnswer<readonly PersonV3[]>(peoplePath);
  const [link, setLink] = useFreshSecret(opens);
  return (
    <Panel title={t("team.people")} about={t("team.peopleAbout")}>
      {link ? (
        <SecretOnce
          title={t("team.linkFor", { name: link.name })}
          secret={link.secret}
          takesFocus
          onKept={() => {
            setLink(null);
          }}
        />
      ) : null}
      {people.error ? (
        <div className="panel-note">
          <QueryError sentence={t("team.loadFailed")} query={people} />
        </div>
      ) : null}
      {people.data === undefined ? null : (
        <div className="panel-note">
          <EditableList
            label={t("team.people")}
            isLabelHidden
            addText={t("team.invite")}
            emptyText=""
            items={people.data}
            form={(person, onClose) =>
              person === null ? (
                <InviteForm
                  onInvited={(name, secret) => {
                    setLink({ name, secret });
                  }}
                  onClose={onClose}
                />
              ) : (
                <PersonForm {...{ person, onClose }} />
              )
            }
            row={(person, onEdit) => (
              <PersonRow
                {...{ person, onEdit }}
                onLink={(secret) => {
                  setLink({ name: person.email, secret });
                }}
              />
            )}
          />
        </div>
      )}
    </Panel>
  );
}

function PersonRow(props: {
  readonly person: PersonV3;
  readonly onEdit: () => void;
  readonly onLink: (link: string) => void;
}): ReactNode {
  const { person, onEdit, onLink } = props;
  const { id, email, role, labels, last_sign_in_at: signedInAt } = person;
  const name = person.name === "" ? email : person.name;
  const isOwn = usePerson().id === id;
  const [isConfirmingReset, setIsConfirmingReset] = useState(false);
  const refetch = useServiceRefetch();
  const path = pathOfPerson(id);
  const attempt = async (
    failed: string,
    act: () => Promise<unknown>,
  ): Promise<void> => {
    try {
      await act();
    } catch (error) {
      notifyFailure(failed, error);
    } finally {
      // Of oneself, too: it may have been the last thing this person was allowed to do.
      await refetch(peoplePath, invitationsPath, "/sign-in/");
    }
  };
  const canSend = useCanSendLinks();
  const reset = (isSending: boolean) =>
    attempt(t("team.resetFailed", { name }), async () => {
      const invited = await requestService<InvitedV3>(
        ...(["POST", `${path}reset/`] as const),
        { send_email: isSending },
      );
      handOverLink(invited, email, onLink);
      setIsConfirmingReset(false);
    });
  return (
    <EditableRow
      {...{ name, onEdit }}
      isEnabled={!person.is_disabled}
      labels={{
        enable: t("team.enableNamed", { name }),
        edit: t("team.editNamed", { name }),
        remove: t("team.removeNamed", { name }),
      }}
      question={t("team.removeQuestion", { name })}
      consequence={t("team.removeConsequence")}
      buttons={
        isOwn ? undefined : (
          <Button
            variant="default"
            leftSection={<IconKey size={18} aria-hidden />}
            aria-label={t("team.resetNamed", { name })}
            onClick={() => {
              setIsConfirmingReset(true);
            }}
          >
            {t("team.reset")}
          </Button>
        )
      }
      otherQuestion={
        isConfirmingReset ? (
          <NamedQuestion
            question={t("team.resetQuestion", { name })}
            consequence={
              canSend ? t("team.resetAndSend") : t("team.resetConsequence")
            }
            no={t("manager.cancel")}
            yes={canSend ? t("team.resetByEmail") : t("team.reset")}
            {...(canSend && {
              other: {
                label: t("team.resetAndShow"),
                onChoose: () => {
                  reset(false).catch(notifyInternalError);
                },
              },
            })}
            onNo={() => {
              setIsConfirmingReset(false);
            }}
            onYes={() => reset(canSend)}
          />
        ) : null
      }
      onEnable={(isEnabled) =>
        attempt(t("team.changeFailed", { name }), () =>
          requestService("PATCH", path, { is_disabled: !isEnabled }),
        )
      }
      onRemove={() =>
        attempt(t("team.removeFailed", { name }), async () => {
          await requestService("DELETE", path);
          notifySuccess(t("team.removed", { name }));
        })
      }
    >
      {person.name === "" ? null : (
        <span className="quiet" dir="ltr">
          {email}
        </span>
      )}
      <span>
        {isOwn
          ? t("team.you", { role: roleName(role, labels) })
          : roleName(role, labels)}
      </span>
      <span className="quiet">
        {[
          ...(person.is_disabled ? [t("team.isDisabled")] : []),
          signedInAt === null
            ? t("team.neverSignedIn")
            : t("team.signedIn", {
                time: formats.moment(Date.parse(signedInAt)),
              }),
          ...(person.has_second_factor ? [t("team.hasFactor")] : []),
        ].join(" · ")}
      </span>
    </EditableRow>
  );
}
