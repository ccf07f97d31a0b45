import { Button } from '#app/ui/button.tsx';

/** Signs out by a plain post. Where scripts run it says so, and its page goes through the steps. */
export function SignOutForm() {
  return (
    <form method="post" action="/logout">
      <Button type="submit" isWide name="steps" data-act="steps">
        Sign Out
      </Button>
    </form>
  );
}
