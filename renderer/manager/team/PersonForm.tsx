// Changes the name of a person and what they may do.

import { TextInput } from "@mantine/core";
import { useMemo, useState, type ReactNode } from "react";
import type { PersonV3 } from "../../../server/contract/v3/v3-people.ts";
import { t } from "../../locales/messages.ts";
import { EditableForm } from "../components/editable-list/EditableForm.tsx";
import { useServiceRefetch } from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";
import {
  AccessFields,
  bodyOfAccess,
  type AccessDraft,
} from "./AccessFields.tsx";
import { pathOfPerson, peoplePath } from "./paths.ts";

export function PersonForm(props: {
  readonly person: PersonV3;
  readonly onClose: () => void;
}): ReactNode {
  const { person, onClose } = props;
  const [name, setName] = useState(person.name);
  const before = person.labels ?? [];
  const [access, setAccess] = useState<AccessDraft>({
    ...{ role: person.role, labels: before.map(({ id }) => id) },
  });
  const refetch = useServiceRefetch();
  const draft = useMemo(() => ({ name, access }), [name, access]);
  return (
    <EditableForm
      {...{ draft, onClose }}
      label={t("team.editNamed", { name: person.name || person.email })}
      submitText={t("account.save")}
      failedText={t("team.changeFailed", { name: person.name || person.email })}
      isReady={name.trim() !== ""}
      onSave={async () => {
        await requestService("PATCH", pathOfPerson(person.id), {
          ...{ name: name.trim(), ...bodyOfAccess(access) },
        });
        // Their own role, too.
        await refetch(peoplePath, "/sign-in/");
      }}
    >
      <TextInput
        label={t("service.name")}
        autoComplete="off"
        autoFocus
        maxLength={200}
        dir="auto"
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <AccessFields
        access={access}
        labelsBefore={before}
        onChange={setAccess}
      />
    </EditableForm>
  );
}
