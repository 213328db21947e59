# Completion of applyguard for bash 4.3 and later. The program itself says what fits: its own table has each flag.
#
#   source <(applyguard completion bash)

_applyguard() {
  local typed=${COMP_LINE:0:COMP_POINT} words lines current directive
  read -ra words <<< "$typed"
  [[ $typed != *[[:space:]] ]] || words+=("")
  mapfile -t lines < <("${words[0]/#\~/$HOME}" __complete "${words[@]:1}" 2> /dev/null)
  [[ ${#lines[@]} -gt 0 ]] || return
  directive=${lines[-1]}
  unset 'lines[-1]'
  current=${words[-1]}
  [[ $current != -*=* ]] || current=${current#*=}
  case $directive in
    :0) mapfile -t COMPREPLY < <(compgen -f -- "$current") && compopt -o filenames 2> /dev/null ;;
    :16) mapfile -t COMPREPLY < <(compgen -d -- "$current") && compopt -o filenames 2> /dev/null ;;
    *) COMPREPLY=("${lines[@]%%$'\t'*}") ;;
  esac
}

complete -F _applyguard applyguard
