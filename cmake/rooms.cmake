# The rooms, from the ground up: what each may include and link. The build goes by this table, and so does tests/rooms.
#
# A file belongs to the room whose name is the longest part of its path: policy/judge.c to policy/judge, and not to policy.
# A room may use the rooms and libraries of its row, and no room below its row. One for all of webhook/ stands for those in it.

room(base USES yyjson yaml)
room(certs USES base openssl)
room(kube USES base certs curl openssl yyjson)
room(issuer USES base certs kube openssl yyjson)

room(policy/fieldset USES base yyjson)
room(policy USES base policy/fieldset yyjson)
room(policy/config USES base policy/fieldset policy)
room(policy/review USES base policy/fieldset policy yyjson)
room(policy/verdict USES base policy/fieldset policy policy/config policy/review yyjson)
room(policy/analysis USES base policy/fieldset policy policy/config policy/review policy/verdict yyjson crypto)
room(policy/rules USES base policy/fieldset policy policy/config policy/review policy/verdict policy/analysis yyjson)
room(policy/judge USES base policy/fieldset policy policy/config policy/review policy/verdict policy/analysis policy/rules
  yyjson)

room(webhook USES base certs kube issuer policy policy/config policy/review policy/verdict policy/analysis policy/judge
  h2o openssl threads yyjson)

room(cli USES base certs kube issuer policy policy/config policy/review policy/verdict policy/judge webhook openssl yaml)
