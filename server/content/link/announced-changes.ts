// Announces each counted change to all instances on one PostgreSQL, by a trigger that notifies in its transaction (L-61).

/** The payload is the team. */
export const announcedOn = "vitrine_changes";

export const announcingTrigger = `
  CREATE FUNCTION announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('${announcedOn}', NEW.team_id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER team_changes_announce AFTER INSERT OR UPDATE ON team_changes
    FOR EACH ROW EXECUTE FUNCTION announce_change();`;
