import { useSearchParams } from 'react-router';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { say } from '../words/say.ts';
import { ComplaintList } from './complaint-list.tsx';
import { complaintPaths } from './complaint-paths.ts';
import { useOperatorComplaints } from './complaints.queries.ts';

/** /operator/complaints: what saccos did not answer, or what was appealed. */
export function OperatorComplaintsPage() {
  const [query] = useSearchParams();
  const status = query.get('status') === 'over' ? 'over' : 'waiting';
  const list = useOperatorComplaints(status);
  return (
    <>
      <Title>{say('Complaints')}</Title>
      <div className="mb-4">
        <ChoiceBar
          label={say('Which complaints')}
          choices={[
            { to: complaintPaths.operatorComplaints(), words: say('Waiting'), isChosen: status === 'waiting' },
            { to: complaintPaths.operatorComplaints('over'), words: say('Over'), isChosen: status === 'over' },
          ]}
        />
      </div>
      <DeskList
        pages={list}
        empty={
          status === 'waiting'
            ? {
                title: say('No complaint waits for a decision'),
                next: say('What saccos leave unanswered and what members appeal appears here.'),
              }
            : { title: say('None is over yet'), next: say('Complaints that were decided or closed appear here.') }
        }
      >
        {(rows) => <ComplaintList rows={rows} side="operator" toOne={complaintPaths.operatorComplaint} />}
      </DeskList>
    </>
  );
}
