drop index import_runs_to_roll_back;
