import { useNavigate } from 'react-router';
import { Button } from '#app/ui/button.tsx';

/** Signs out on the page that shows progress; without scripts by a plain post. */
export function SignOutForm() {
  const navigate = useNavigate();
  return (
    <form
      method="post"
      action="/logout"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate('/logout', { state: { isAsked: true } });
      }}
    >
      <Button type="submit" isWide>
        Sign Out
      </Button>
    </form>
  );
}
