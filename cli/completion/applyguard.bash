# Completion of applyguard for bash 4.3 and later. The program itself says what fits: its own table has each flag.
#
#   source <(applyguard completion bash)

_applyguard() {
  local typed=${COMP_LINE:0:COMP_POINT} words lines directive
  read -ra words <<< "$typed"
  [[ $typed != *[[:space:]] ]] || words+=("")
  mapfile -t lines < <("${words[0]/#\~/$HOME}" __complete "${words[@]:1}" 2> /dev/null)
  [[ ${#lines[@]} -gt 0 ]] || return
  directive=${lines[-1]}
  unset 'lines[-1]'
  case $directive in
    # Bash itself knows which blanks are part of a name: a\ file.
    :0) compopt -o default 2> /dev/null ;;
    :16) compopt -o dirnames 2> /dev/null ;;
    *) COMPREPLY=("${lines[@]%%$'\t'*}") ;;
  esac
}

complete -F _applyguard applyguard
