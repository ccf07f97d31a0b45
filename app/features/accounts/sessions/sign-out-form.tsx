import { Button } from '#app/ui/button.tsx';

/**
 * Renders a form that signs out with a plain POST request. With JavaScript it opens the logout
 * page, which shows each step.
 */
export function SignOutForm() {
  return (
    <form method="post" action="/logout">
      <Button type="submit" isWide name="steps" data-act="steps">
        Sign Out
      </Button>
    </form>
  );
}
